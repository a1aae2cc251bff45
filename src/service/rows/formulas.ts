// The formula language: expressions over other columns, parsed by jsep and evaluated without eval.
import { assumedLimits } from '../../contract/limits.ts'
import jsep from 'jsep'

export type FormulaValue = string | number | boolean | null
/** Computes a formula from column values by name. */
export type Formula = (valueOf: (name: string) => unknown) => FormulaValue

/** The part of jsep's parser used here; jsep's types declare only the function around it. */
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

/** A subclass rather than a plugin, because plugins would change jsep for everyone in the process. */
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

  /** Accepts one expression only; jsep would accept several, with or without separators. */
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

const createArithmetic =
  (compute: (left: number, right: number) => number): BinaryOperator =>
  (left, right) => {
    if (typeof left !== 'number' || typeof right !== 'number') return null
    const result = compute(left, right)
    return Number.isFinite(result) ? result : null
  }

/** Compares numbers with numbers and text with text; anything else is an error. */
const createComparison =
  (compare: (left: number | string, right: number | string) => boolean): BinaryOperator =>
  (left, right) =>
    typeof left === 'boolean' || typeof left !== typeof right ? null : compare(left, right as typeof left)

const sum = createArithmetic((left, right) => left + right)
const add: BinaryOperator = (left, right) => {
  if (typeof left !== 'string' && typeof right !== 'string') return sum(left, right)
  const text = String(left) + String(right)
  return text.length > assumedLimits.formulaLanguage.characters ? null : text
}

/** Assumption: formulaLanguage */
const binaryOperators = new Map<string, BinaryOperator>([
  ['+', add],
  ['-', createArithmetic((left, right) => left - right)],
  ['*', createArithmetic((left, right) => left * right)],
  ['/', createArithmetic((left, right) => left / right)],
  ['%', createArithmetic((left, right) => left % right)],
  ['==', (left, right) => left === right],
  ['!=', (left, right) => left !== right],
  ['<', createComparison((left, right) => left < right)],
  ['<=', createComparison((left, right) => left <= right)],
  ['>', createComparison((left, right) => left > right)],
  ['>=', createComparison((left, right) => left >= right)],
])

const unaryOperators = new Map<string, (operand: string | number | boolean) => FormulaValue>([
  ['-', (operand) => (typeof operand === 'number' ? -operand : null)],
  ['+', (operand) => (typeof operand === 'number' ? operand : null)],
  ['!', (operand) => !operand],
])

/** Lists and files count as missing. */
function operandOf(value: unknown): FormulaValue {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  return typeof value === 'string' || typeof value === 'boolean' ? value : null
}

function refuse(what: string): never {
  throw new SyntaxError(`formula has an unsupported ${what}`)
}

/** A formula with more levels evaluates to null. */
export const { levels: mostLevels } = assumedLimits.formulaLanguage

interface Compilation {
  /** Names of the columns read so far. */
  readonly names: Set<string>
  readonly level: number
}

function compileName(name: string, { names }: Compilation): Formula {
  names.add(name)
  return (valueOf) => operandOf(valueOf(name))
}

function compileBinary({ operator, left, right }: jsep.BinaryExpression, compilation: Compilation): Formula {
  const [first, second] = [compile(left, compilation), compile(right, compilation)]
  // `&&` and `||` return one of their operands, and do not evaluate the right one if the left one decides.
  if (operator === '&&' || operator === '||')
    return (valueOf) => {
      const value = first(valueOf)
      if (value === null) return null
      return Boolean(value) === (operator === '&&') ? second(valueOf) : value
    }
  const compute = binaryOperators.get(operator) ?? refuse(`operator ${operator}`)
  return (valueOf) => {
    const leftValue = first(valueOf)
    const rightValue = second(valueOf)
    return leftValue === null || rightValue === null ? null : compute(leftValue, rightValue)
  }
}

function compile(expression: jsep.Expression, { names, level }: Compilation): Formula {
  if (level > mostLevels) throw new SyntaxError(`formula has more than ${String(mostLevels)} levels`)
  const node = expression as jsep.CoreExpression
  const compilation = { names, level: level + 1 }
  switch (node.type) {
    case 'Literal': {
      // jsep reads true, false and null as literals; here they are ordinary names.
      if (typeof node.value !== 'string' && typeof node.value !== 'number')
        return compileName(node.raw, compilation)
      const operand = operandOf(node.value)
      return () => operand
    }
    case 'Identifier':
      return compileName(node.name, compilation)
    case 'ThisExpression':
      return compileName('this', compilation)
    case 'UnaryExpression': {
      const compute = unaryOperators.get(node.operator) ?? refuse(`operator ${node.operator}`)
      const operand = compile(node.argument, compilation)
      return (valueOf) => {
        const value = operand(valueOf)
        return value === null ? null : compute(value)
      }
    }
    case 'BinaryExpression':
      return compileBinary(node, compilation)
    case 'ConditionalExpression': {
      const condition = compile(node.test, compilation)
      const whenTrue = compile(node.consequent, compilation)
      const whenFalse = compile(node.alternate, compilation)
      return (valueOf) => {
        const value = condition(valueOf)
        if (value === null) return null
        return value ? whenTrue(valueOf) : whenFalse(valueOf)
      }
    }
    default:
      return refuse(node.type)
  }
}

/** The deepest level of parentheses, including those in string literals. */
function levelsOfParentheses(expression: string): number {
  let open = 0
  let most = 0
  for (const character of expression) {
    if (character === '(') most = Math.max(most, (open += 1))
    else if (character === ')') open -= 1
  }
  return most
}

export interface ParsedFormula {
  readonly compute: Formula
  /** Names of the columns it reads. */
  readonly names: ReadonlySet<string>
}

const brokenFormula: ParsedFormula = { compute: () => null, names: new Set() }

/** Parses a formula. Never throws; an invalid formula evaluates to null. Assumption: formulaLanguage */
export function parseFormula(expression: string): ParsedFormula {
  if (levelsOfParentheses(expression) > mostLevels) return brokenFormula
  const names = new Set<string>()
  try {
    const formula = compile(new FormulaParser(expression).parse(), { names, level: 1 })
    const compute: Formula = (valueOf) => {
      try {
        return formula(valueOf)
      } catch {
        return null
      }
    }
    return { compute, names }
  } catch {
    return brokenFormula
  }
}
