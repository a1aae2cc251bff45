// The open questions: what the contract leaves open, what the mock assumes, and what it could assume instead.
import { useState } from 'preact/hooks'
import type { QuestionId, QuestionRecord } from '../../../contract/questions/register.ts'
import { useConsole, usePlace } from '../parts/context.ts'
import { Button, Switch, typed } from '../parts/controls.tsx'
import { useLoaded } from '../parts/loaded.ts'
import { Empty, Failure, Mark } from '../parts/marks.tsx'

const jsonOf = (value: unknown) => JSON.stringify(value)

/** The answers that can be picked; null where there are too many to list. */
function choicesOf({ schema, meanings }: QuestionRecord): QuestionRecord['meanings'] | null {
  const listed = schema.enum ?? (schema.anyOf === undefined ? undefined : null)
  const isListed = Array.isArray(listed) || schema.type === 'boolean'
  return isListed && meanings.every(({ answer }) => typeof answer !== 'object') ? meanings : null
}

interface AnswerProps {
  readonly question: QuestionRecord
  readonly answer: unknown
  readonly give: (answer: unknown) => Promise<boolean>
}

function Choices({ question, answer, give }: AnswerProps) {
  return (
    <fieldset class="choices">
      <legend class="unseen">{question.id}</legend>
      {question.meanings.map(({ answer: choice, meaning }) => (
        <label key={jsonOf(choice)}>
          <input
            type="radio"
            name={`answer-${question.id}`}
            checked={jsonOf(choice) === jsonOf(answer)}
            onChange={() => void give(choice)}
          />
          <span>
            <code>{typeof choice === 'string' ? choice : jsonOf(choice)}</code> {meaning}
            {jsonOf(choice) === jsonOf(question.default) && <span class="aside"> Default</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

function Written({ question, answer, give }: AnswerProps) {
  const [draft, setDraft] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const submit = (event: Event) => {
    event.preventDefault()
    let value: unknown
    try {
      value = JSON.parse(draft ?? '')
    } catch {
      setProblem('This is no JSON.')
      return
    }
    setProblem(null)
    void give(value).then((isGiven) => {
      if (isGiven) setDraft(null)
    })
  }
  return (
    <form class="written" onSubmit={submit}>
      <ul>
        {question.meanings.map(({ meaning }) => (
          <li key={meaning}>{meaning}</li>
        ))}
      </ul>
      <textarea
        rows={Math.min(8, JSON.stringify(answer, null, 2).split('\n').length)}
        aria-label={`Answer to ${question.id}, as JSON`}
        spellcheck={false}
        value={draft ?? JSON.stringify(answer, null, 2)}
        onInput={(event) => setDraft(event.currentTarget.value)}
      />
      {problem !== null && <Failure>{problem}</Failure>}
      {draft !== null && (
        <div class="row">
          <button type="submit" class="button primary">
            Give this answer
          </button>
          <Button kind="quiet" onClick={() => setDraft(null)}>
            Cancel
          </Button>
        </div>
      )}
    </form>
  )
}

function Question({ question, answer, give }: AnswerProps) {
  const { id, source, notShown, fixed, meanings } = question
  const isChanged = jsonOf(answer) !== jsonOf(question.default)
  return (
    <li class="sheet question">
      <header>
        <h4>{id}</h4>
        {isChanged && <Mark tone="accent">changed</Mark>}
        {fixed && <Mark>one answer</Mark>}
        <span class="aside">{source}</span>
        {isChanged && (
          <Button kind="quiet" onClick={() => void give(question.default)}>
            Back to the default
          </Button>
        )}
      </header>
      <p class="open">{notShown}</p>
      {fixed ? (
        meanings.map(({ meaning }) => (
          <p key={meaning} class="assumed">
            {meaning}
          </p>
        ))
      ) : choicesOf(question) ? (
        <Choices question={question} answer={answer} give={give} />
      ) : (
        <Written question={question} answer={answer} give={give} />
      )}
    </li>
  )
}

interface Filter {
  readonly text: string
  readonly isChanged: boolean
  readonly isSwitchable: boolean
}

const everything = { isChanged: false, isSwitchable: false }

function matches(
  question: QuestionRecord,
  answer: unknown,
  { text, isChanged, isSwitchable }: Filter,
): boolean {
  if (isSwitchable && question.fixed) return false
  if (isChanged && jsonOf(answer) === jsonOf(question.default)) return false
  return jsonOf(question).toLowerCase().includes(text.toLowerCase())
}

export function Questions() {
  const { source, world, act } = useConsole()
  const [text, setText] = usePlace('q')
  const [flags, setFlags] = useState(everything)
  const filter = { ...flags, text }
  const [given, setGiven] = useState(0)
  const { value: questions } = useLoaded(() => source.world(null).questions(), [source])
  const { value: answers, failure } = useLoaded(() => world.answers(), [world, given])
  if (failure !== null) return <Failure>{failure}</Failure>
  if (!questions || !answers) return null
  const give = (id: QuestionId) => async (answer: unknown) => {
    const isGiven = await act(() => world.setAnswers({ [id]: answer }), `Answered ${id}.`)
    setGiven(given + 1)
    return isGiven
  }
  const shown = questions.filter((question) => matches(question, answers[question.id], filter))
  const parts = [...new Set(shown.map(({ part }) => part))]
  return (
    <div class="questions">
      <p class="lead">
        Where the contract shows nothing the mock has to assume something. Each assumption stands here; test
        your client with the other answers too.
      </p>
      <div class="toolbar">
        <input
          type="search"
          class="grow"
          placeholder="Filter by word or operation …"
          aria-label="Filter the questions"
          value={filter.text}
          onInput={(event) => setText(typed(event) || undefined, false)}
        />
        <Switch
          label="With a choice"
          isOn={filter.isSwitchable}
          onChange={(isSwitchable) => setFlags({ ...flags, isSwitchable })}
        />
        <Switch
          label="Changed"
          isOn={filter.isChanged}
          onChange={(isChanged) => setFlags({ ...flags, isChanged })}
        />
      </div>
      {shown.length === 0 && (
        <div class="sheet">
          <Empty title="No such question">
            <Button
              onClick={() => {
                setFlags(everything)
                setText(undefined)
              }}
            >
              Show all {questions.length}
            </Button>
          </Empty>
        </div>
      )}
      {parts.map((part) => (
        <section key={part}>
          <h3 class="section">{part}</h3>
          <ul class="question-list">
            {shown
              .filter((question) => question.part === part)
              .map((question) => (
                <Question
                  key={question.id}
                  question={question}
                  answer={answers[question.id]}
                  give={give(question.id)}
                />
              ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
