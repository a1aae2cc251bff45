// Owns the language of formula columns: expressions over other columns, parsed by jsep, evaluated without eval.
import jsep from 'jsep'

export type FormulaValue = string | number | boolean | null
/** Computes a formula from the values of columns by name. */
export type Formula = (valueOf: (name: string) => unknown) => FormulaValue

/** The part of jsep's parser that is used; its own types know only the function around it. */
interface ExpressionParser {
  index: number
  readonly expr: string
  readonly code: number
  gobbleSpaces(): void
  gobbleExpression(): jsep.PossibleExpression
  gobbleExpressions(): jsep.Expression[]
  gobbleToken(): jsep.PossibleExpression
  parse(): jsep.Expression
}
const { Jsep } = jsep as unknown as { Jsep: new (expression: string) => ExpressionParser }

const openingBrace = 123

/** A parser of its own rather than a plugin, since plugins would change jsep for everyone in the process. */
class FormulaParser extends Jsep {
  override gobbleToken(): jsep.PossibleExpression {
    this.gobbleSpaces()
    if (this.code !== openingBrace) return super.gobbleToken()
    const end = this.expr.indexOf('}', this.index)
    if (end === -1) throw new SyntaxError(`formula has an unclosed {: ${this.expr}`)
    const name = this.expr.slice(this.index + 1, end)
    this.index = end + 1
    return { type: 'Identifier', name }
  }

  /** One expression: jsep would take several, with or without separators. */
  override gobbleExpressions(): jsep.Expression[] {
    const expression = this.gobbleExpression()
    return expression ? [expression] : []
  }

  override parse(): jsep.Expression {
    const expression = super.parse()
    if (this.index < this.expr.length)
      throw new SyntaxError(`formula has more than one expression: ${this.expr}`)
    return expression
  }
}

type BinaryOperator = (left: string | number | boolean, right: string | number | boolean) => FormulaValue

const arithmetic =
  (compute: (left: number, right: number) => number): BinaryOperator =>
  (left, right) => {
    if (typeof left !== 'number' || typeof right !== 'number') return null
    const result = compute(left, right)
    return Number.isFinite(result) ? result : null
  }

/** Numbers compare with numbers and text with text; anything else is an error. */
const comparison =
  (compare: (left: number | string, right: number | string) => boolean): BinaryOperator =>
  (left, right) =>
    typeof left === 'boolean' || typeof left !== typeof right ? null : compare(left, right as typeof left)

const sum = arithmetic((left, right) => left + right)

/** Assumption: formulaLanguage */
const binaryOperators: ReadonlyMap<string, BinaryOperator> = new Map<string, BinaryOperator>([
  [
    '+',
    (left, right) =>
      typeof left === 'string' || typeof right === 'string' ? String(left) + String(right) : sum(left, right),
  ],
  ['-', arithmetic((left, right) => left - right)],
  ['*', arithmetic((left, right) => left * right)],
  ['/', arithmetic((left, right) => left / right)],
  ['%', arithmetic((left, right) => left % right)],
  ['==', (left, right) => left === right],
  ['!=', (left, right) => left !== right],
  ['<', comparison((left, right) => left < right)],
  ['<=', comparison((left, right) => left <= right)],
  ['>', comparison((left, right) => left > right)],
  ['>=', comparison((left, right) => left >= right)],
])

type UnaryOperator = (operand: string | number | boolean) => FormulaValue

const unaryOperators: ReadonlyMap<string, UnaryOperator> = new Map<string, UnaryOperator>([
  ['-', (operand) => (typeof operand === 'number' ? -operand : null)],
  ['+', (operand) => (typeof operand === 'number' ? operand : null)],
  ['!', (operand) => !operand],
])

/** Lists, files and the like are no operands. */
function operandOf(value: unknown): FormulaValue {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  return typeof value === 'string' || typeof value === 'boolean' ? value : null
}

function unsupported(what: string): never {
  throw new SyntaxError(`formula has an unsupported ${what}`)
}

function named(name: string): Formula {
  return (valueOf) => operandOf(valueOf(name))
}

function literal({ value, raw }: jsep.Literal): Formula {
  // jsep reads true, false and null as literals; here they are names like any other.
  if (typeof value !== 'string' && typeof value !== 'number') return named(raw)
  const operand = operandOf(value)
  return () => operand
}

function unary({ operator, argument }: jsep.UnaryExpression): Formula {
  const compute = unaryOperators.get(operator) ?? unsupported(`operator ${operator}`)
  const operand = compile(argument)
  return (valueOf) => {
    const value = operand(valueOf)
    return value === null ? null : compute(value)
  }
}

/** `&&` and `||` answer one of their operands and leave the right one alone where the left one decides. */
function logical(operator: '&&' | '||', left: Formula, right: Formula): Formula {
  return (valueOf) => {
    const value = left(valueOf)
    if (value === null) return null
    return Boolean(value) === (operator === '&&') ? right(valueOf) : value
  }
}

function binary({ operator, left, right }: jsep.BinaryExpression): Formula {
  const [first, second] = [compile(left), compile(right)]
  if (operator === '&&' || operator === '||') return logical(operator, first, second)
  const compute = binaryOperators.get(operator) ?? unsupported(`operator ${operator}`)
  return (valueOf) => {
    const leftValue = first(valueOf)
    const rightValue = second(valueOf)
    return leftValue === null || rightValue === null ? null : compute(leftValue, rightValue)
  }
}

function conditional({ test, consequent, alternate }: jsep.ConditionalExpression): Formula {
  const [condition, whenTrue, whenFalse] = [compile(test), compile(consequent), compile(alternate)]
  return (valueOf) => {
    const value = condition(valueOf)
    if (value === null) return null
    return value ? whenTrue(valueOf) : whenFalse(valueOf)
  }
}

function compile(expression: jsep.Expression): Formula {
  const node = expression as jsep.CoreExpression
  switch (node.type) {
    case 'Literal':
      return literal(node)
    case 'Identifier':
      return named(node.name)
    case 'ThisExpression':
      return named('this')
    case 'UnaryExpression':
      return unary(node)
    case 'BinaryExpression':
      return binary(node)
    case 'ConditionalExpression':
      return conditional(node)
    default:
      return unsupported(node.type)
  }
}

const broken: Formula = () => null

function compileSafely(expression: string): Formula {
  let formula: Formula
  try {
    formula = compile(new FormulaParser(expression).parse())
  } catch {
    return broken
  }
  return (valueOf) => {
    try {
      return formula(valueOf)
    } catch {
      return null
    }
  }
}

const formulas = new Map<string, Formula>()

/**
 * The formula that an expression stands for; it never throws and gives null for whatever cannot be computed.
 * Assumption: formulaLanguage
 */
export function compileFormula(expression: string): Formula {
  let formula = formulas.get(expression)
  if (!formula) formulas.set(expression, (formula = compileSafely(expression)))
  return formula
}
