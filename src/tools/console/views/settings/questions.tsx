// The open questions: what the contract leaves open, what the mock assumes, and the other answers.
import type { QuestionRecord } from '../../../../contract/questions/register.ts'
import { hasText } from '../../format.ts'
import { EmptyState, Failure, Mark } from '../../parts/blocks.tsx'
import { type ScopedRun, useConsole, useDraft, useLoaded, useParam } from '../../parts/context.ts'
import { Button, moveAmongRadios, SegmentedControl } from '../../parts/controls.tsx'
import { downloadJson, Form, parseJson, Search, TextArea } from '../../parts/fields.tsx'
import { toText } from '../state/cell.tsx'

const jsonOf = (value: unknown) => JSON.stringify(value)

const isChanged = (question: QuestionRecord, answer: unknown) => jsonOf(answer) !== jsonOf(question.default)

type AnswerProps = Readonly<{ question: QuestionRecord; answer: unknown }>

function JsonAnswer({ question: { id, meanings }, answer }: AnswerProps) {
  const [draft, setDraft] = useDraft<string | null>(`answer ${id}`, null)
  const text = JSON.stringify(answer, null, 2)
  const field = { label: `Answer to ${id}, as JSON`, rows: Math.min(8, text.split('\n').length) }
  const submit: ScopedRun = async (controls) => {
    await controls.setAnswers({ [id]: await parseJson(draft ?? '', 'Invalid JSON.') })
    setDraft(null)
  }
  return (
    <Form class="json-answer" run={submit} done={`Answer to ${id} saved.`}>
      <ul>
        {meanings.map(({ meaning }) => (
          <li key={meaning}>{meaning}</li>
        ))}
      </ul>
      <TextArea {...field} spellcheck={false} value={draft ?? text} set={setDraft} />
      {draft !== null && (
        <div class="row">
          <Button kind="primary" text="Save this answer" />
          <Button kind="quiet" onClick={() => setDraft(null)} text="Cancel" />
        </div>
      )}
    </Form>
  )
}

function Question({ question, answer }: AnswerProps) {
  const { act } = useConsole()
  const { id, source, notShown, fixed, meanings, schema, default: byDefault } = question
  const { set: setShown } = useParam('question')
  const setAnswer = (next: unknown, done: 'saved' | 'reset') =>
    act((controls) => controls.setAnswers({ [id]: next }), { done: `Answer to ${id} ${done}.` })
  const isListed = Array.isArray(schema.enum) || schema.type === 'boolean'
  const isPlain = meanings.every(({ answer: choice }) => typeof choice !== 'object')
  const choices = (
    <fieldset class="choices" onKeyDown={moveAmongRadios}>
      <legend class="visually-hidden">{id}</legend>
      {meanings.map(({ answer: choice, meaning }) => (
        <label key={jsonOf(choice)}>
          <input
            {...{ type: 'radio', name: `answer-${id}`, checked: jsonOf(choice) === jsonOf(answer) }}
            onChange={() => void setAnswer(choice, 'saved')}
          />
          <span>
            <code>{toText(choice)}</code> {meaning}
            {jsonOf(choice) === jsonOf(byDefault) && <span class="aside"> Default</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
  return (
    <li class="sheet question">
      <header>
        <h4>
          <Button class="bare" title="Show only this one" onClick={() => setShown(id)} text={id} />
        </h4>
        {isChanged(question, answer) && <Mark tone="accent">changed</Mark>}
        {fixed && <Mark>one answer</Mark>}
        <span class="aside">{source}</span>
        {isChanged(question, answer) && (
          <Button kind="quiet" onClick={() => setAnswer(byDefault, 'reset')} text="Reset to the default" />
        )}
      </header>
      <p class="open">{notShown}</p>
      {fixed && <p class="assumed">{meanings.map(({ meaning }) => meaning).join(' ')}</p>}
      {!fixed && (isListed && isPlain ? choices : <JsonAnswer {...{ question, answer }} />)}
    </li>
  )
}

export function Questions() {
  const { source, controls, live, go, viewState } = useConsole()
  const only = useParam('only')
  const { value: questions } = useLoaded(() => source.controls(null).questions(), [])
  const { value: answers, failure } = useLoaded(() => controls.answers(), [live.overview])
  if (!questions || !answers) return <Failure message={failure} />
  const { q = '', question } = viewState
  const changed = live.overview.changedAnswers
  const save = () => downloadJson('answers.json', Object.fromEntries(changed.map((id) => [id, answers[id]])))
  const choices = { changed: `Changed (${String(changed.length)})`, all: 'All' }
  const shown = questions.filter((one) => {
    if (question !== undefined) return one.id === question
    const isOffered =
      only.value === 'changed' ? isChanged(one, answers[one.id]) : only.value === 'all' || !one.fixed
    return isOffered && hasText(jsonOf(one), q)
  })
  const showAll = () => go({ question: undefined, q: undefined, only: 'all' })
  const all = <Button onClick={showAll} text={`Show all ${String(questions.length)}`} />
  return (
    <>
      <p class="lead">
        When the contract leaves something open, the mock assumes an answer. Test your client with the other
        answers, too.
      </p>
      {question === undefined ? (
        <div class="toolbar">
          <Search label="Filter the questions" placeholder="Word or operation …" />
          <SegmentedControl legend="Questions" empty="With a choice" choices={choices} {...only} />
          <span class="spacer" />
          <Button kind="quiet" disabled={changed.length === 0} onClick={save} text="Save as answers file" />
        </div>
      ) : (
        <Button onClick={() => go({ question: undefined })} text="Show all questions" />
      )}
      {shown.length === 0 && <EmptyState title="No question matches" action={all} />}
      {[...Map.groupBy(shown, ({ part }) => part)].map(([part, own]) => (
        <section key={part}>
          <h3 class="section">{part}</h3>
          <ul class="question-list">
            {own.map((one) => (
              <Question key={one.id} question={one} answer={answers[one.id]} />
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}
