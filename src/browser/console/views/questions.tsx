// The open questions: what the contract leaves open, what the mock assumes, and what it could assume instead.
import { useState } from 'preact/hooks'
import type { Answers, QuestionId, QuestionRecord } from '../../../contract/questions/register.ts'
import { useConsole, usePlace } from '../parts/context.ts'
import { Button, Segmented, typed } from '../parts/controls.tsx'
import { download } from '../parts/files.tsx'
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
      setProblem('Invalid JSON.')
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
  const [, setShown] = usePlace('question')
  const isChanged = jsonOf(answer) !== jsonOf(question.default)
  return (
    <li class="sheet question">
      <header>
        <h4>
          <button type="button" class="bare" title="Show this question alone" onClick={() => setShown(id)}>
            {id}
          </button>
        </h4>
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

const filters = [
  { value: '', label: 'With a choice' },
  { value: 'changed', label: 'Changed' },
  { value: 'all', label: 'All' },
] as const
type Only = (typeof filters)[number]['value']

function Toolbar({ answers }: { readonly answers: Answers }) {
  const { live } = useConsole()
  const [text, setText] = usePlace('q')
  const [only, setOnly] = usePlace('only')
  const changed = live.overview?.changedAnswers ?? []
  const save = () => download('answers.json', Object.fromEntries(changed.map((id) => [id, answers[id]])))
  return (
    <div class="toolbar">
      <input
        type="search"
        class="grow"
        placeholder="Word or operation …"
        aria-label="Filter the questions"
        value={text}
        onInput={(event) => setText(typed(event) || undefined, false)}
      />
      <Segmented
        legend="Questions"
        choices={filters.map(({ value, label }) => ({
          value,
          label: value === 'changed' ? `${label} (${String(changed.length)})` : label,
        }))}
        value={only as Only}
        onChange={(value) => setOnly(value || undefined)}
      />
      <span class="spacer" />
      <Button kind="quiet" disabled={changed.length === 0} onClick={save}>
        Save as answers file
      </Button>
    </div>
  )
}

/** Those that the place lets through: one, or those that match the filter. */
function useShown(questions: readonly QuestionRecord[], answers: Answers): readonly QuestionRecord[] {
  const { q = '', only = '', question } = useConsole().place
  if (question !== undefined) return questions.filter(({ id }) => id === question)
  return questions.filter(
    (one) =>
      (only !== '' || !one.fixed) &&
      (only !== 'changed' || jsonOf(answers[one.id]) !== jsonOf(one.default)) &&
      jsonOf(one).toLowerCase().includes(q.toLowerCase()),
  )
}

export function Questions() {
  const { source, controls, live } = useConsole()
  const [given, setGiven] = useState(0)
  const { value: questions } = useLoaded(() => source.controls(null).questions(), [source])
  const { value: answers, failure } = useLoaded(
    () => controls.answers(),
    [controls, given, live.overview?.changedAnswers.join()],
  )
  if (failure !== null) return <Failure>{failure}</Failure>
  if (!questions || !answers) return null
  return <Listed questions={questions} answers={answers} onGiven={() => setGiven(given + 1)} />
}

function Listed({
  questions,
  answers,
  onGiven,
}: {
  readonly questions: readonly QuestionRecord[]
  readonly answers: Answers
  readonly onGiven: () => void
}) {
  const { controls, act, go, place } = useConsole()
  const shown = useShown(questions, answers)
  const give = (id: QuestionId) => async (answer: unknown) => {
    const isGiven = await act(() => controls.setAnswers({ [id]: answer }), `Answered ${id}.`)
    onGiven()
    return isGiven
  }
  const showAll = () => go({ question: undefined, q: undefined, only: 'all' })
  const parts = [...new Set(shown.map(({ part }) => part))]
  return (
    <div class="questions">
      <p class="lead">
        Where the contract leaves something open, the mock has to assume an answer. Each assumption is listed
        here; test your client with the other answers too.
      </p>
      {place.question === undefined ? (
        <Toolbar answers={answers} />
      ) : (
        <Button onClick={() => go({ question: undefined })}>Show all questions</Button>
      )}
      {shown.length === 0 && (
        <div class="sheet">
          <Empty title="No question matches">
            <Button onClick={showAll}>Show all {questions.length}</Button>
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
