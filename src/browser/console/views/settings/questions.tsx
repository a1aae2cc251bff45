// The open questions: what the contract leaves open, what the mock assumes, and the other answers.
import type { Answers, QuestionId, QuestionRecord } from '../../../../contract/questions/register.ts'
import { Button } from '../../parts/button.tsx'
import { type ViewState, useConsole, useDraft, useLoaded, useViewState } from '../../parts/context.ts'
import { SegmentedFilter } from '../../parts/controls.tsx'
import { Form, Search } from '../../parts/fields.tsx'
import { download } from '../../parts/files.tsx'
import { EmptyState, Failure, Mark } from '../../parts/blocks.tsx'
import { plainText } from '../state/cell.tsx'

const jsonOf = (value: unknown) => JSON.stringify(value)

/** Whether its answers can be listed to choose from. */
const isListed = ({ schema, meanings }: QuestionRecord) =>
  (Array.isArray(schema.enum) || schema.type === 'boolean') &&
  meanings.every(({ answer }) => typeof answer !== 'object')

interface AnswerProps {
  readonly question: QuestionRecord
  readonly answer: unknown
  /** Rejects with the reason if it is invalid. */
  readonly setAnswer: (answer: unknown) => Promise<unknown>
}

function AnswerChoices({ question, answer, setAnswer }: AnswerProps) {
  const { act } = useConsole()
  return (
    <fieldset class="choices">
      <legend class="visually-hidden">{question.id}</legend>
      {question.meanings.map(({ answer: choice, meaning }) => (
        <label key={jsonOf(choice)}>
          <input
            type="radio"
            name={`answer-${question.id}`}
            checked={jsonOf(choice) === jsonOf(answer)}
            onChange={() => void act(() => setAnswer(choice), `Answer to ${question.id} saved.`)}
          />
          <span>
            <code>{plainText(choice)}</code> {meaning}
            {jsonOf(choice) === jsonOf(question.default) && <span class="aside"> Default</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** @throws {Error} if it is not JSON */
function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('Invalid JSON.')
  }
}

function JsonAnswer({ question, answer, setAnswer }: AnswerProps) {
  const [draft, setDraft] = useDraft<string | null>(`answer ${question.id}`, null)
  const submit = async () => {
    await setAnswer(parseAnswer(draft ?? ''))
    setDraft(null)
  }
  return (
    <Form class="json-answer" onSubmit={submit} done={`Answer to ${question.id} saved.`}>
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
      {draft !== null && (
        <div class="row">
          <Button kind="primary">Save this answer</Button>
          <Button kind="quiet" onClick={() => setDraft(null)}>
            Cancel
          </Button>
        </div>
      )}
    </Form>
  )
}

function Question({ question, answer, setAnswer }: AnswerProps) {
  const { id, source, notShown, fixed, meanings } = question
  const { act } = useConsole()
  const [, setShown] = useViewState('question')
  const isChanged = jsonOf(answer) !== jsonOf(question.default)
  return (
    <li class="sheet question">
      <header>
        <h4>
          <Button class="bare" title="Show only this question" onClick={() => setShown(id)}>
            {id}
          </Button>
        </h4>
        {isChanged && <Mark tone="accent">changed</Mark>}
        {fixed && <Mark>one answer</Mark>}
        <span class="aside">{source}</span>
        {isChanged && (
          <Button
            kind="quiet"
            onClick={() => act(() => setAnswer(question.default), `Answer to ${id} reset.`)}
          >
            Reset to the default
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
      ) : isListed(question) ? (
        <AnswerChoices question={question} answer={answer} setAnswer={setAnswer} />
      ) : (
        <JsonAnswer question={question} answer={answer} setAnswer={setAnswer} />
      )}
    </li>
  )
}

function Toolbar({ answers }: { readonly answers: Answers }) {
  const { live } = useConsole()
  const changed = live.overview.changedAnswers
  const save = () => download('answers.json', Object.fromEntries(changed.map((id) => [id, answers[id]])))
  const filters = { changed: `Changed (${String(changed.length)})`, all: 'All' }
  return (
    <div class="toolbar">
      <Search label="Filter the questions" placeholder="Word or operation …" />
      <SegmentedFilter name="only" legend="Questions" empty="With a choice" choices={filters} />
      <span class="spacer" />
      <Button kind="quiet" disabled={changed.length === 0} onClick={save}>
        Save as answers file
      </Button>
    </div>
  )
}

/** The questions of the view state: a single one, or those that match the filter. */
function shownOf(questions: readonly QuestionRecord[], answers: Answers, viewState: ViewState) {
  const { q = '', only = '', question } = viewState
  if (question !== undefined) return questions.filter(({ id }) => id === question)
  return questions.filter(
    (one) =>
      (only !== '' || !one.fixed) &&
      (only !== 'changed' || jsonOf(answers[one.id]) !== jsonOf(one.default)) &&
      jsonOf(one).toLowerCase().includes(q.toLowerCase()),
  )
}

export function Questions() {
  const { source, controls, live, go, viewState } = useConsole()
  const { value: questions } = useLoaded(() => source.controls(null).questions(), [])
  const { value: answers, failure } = useLoaded(() => controls.answers(), [live.overview])
  if (!questions || !answers) return <Failure message={failure} />
  const shown = shownOf(questions, answers, viewState)
  const setAnswer = (id: QuestionId) => (answer: unknown) => controls.setAnswers({ [id]: answer })
  const showAll = () => go({ question: undefined, q: undefined, only: 'all' })
  const parts = [...new Set(shown.map(({ part }) => part))]
  return (
    <>
      <p class="lead">
        Where the contract leaves something open, the mock has to assume an answer. Each assumption is listed
        here; test your client with the other answers too.
      </p>
      {viewState.question === undefined ? (
        <Toolbar answers={answers} />
      ) : (
        <Button onClick={() => go({ question: undefined })}>Show all questions</Button>
      )}
      {shown.length === 0 && (
        <EmptyState
          title="No question matches"
          action={<Button onClick={showAll}>Show all {questions.length}</Button>}
        />
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
                  setAnswer={setAnswer(question.id)}
                />
              ))}
          </ul>
        </section>
      ))}
    </>
  )
}
