// Owns the source of a console that lives in one page with its mock.
import type { AnswersInput } from '../../contract/questions/register.ts'
import type { MockControls } from '../../controls/mock-controls.ts'
import { NotFoundError } from '../../core/control-error.ts'
import type { WorkspaceMock } from '../../mock.ts'
import type { ConsoleSource, WorldSource } from './source.ts'

/** Has the call made in a promise, so that what is thrown rejects. */
const promised = <Result>(call: () => Result): Promise<Result> => Promise.resolve().then(call)

function worldSource(world: () => MockControls): WorldSource {
  const told = <Result>(call: (controls: MockControls) => Result) => promised(() => call(world()))
  return {
    overview: () => told(({ inspect }) => inspect.overview()),
    requests: (query) => told((controls) => controls.requests(query)),
    clearRequests: () => told((controls) => controls.clearRequests()),
    har: () => told((controls) => controls.har()),
    report: (assumptions) => told((controls) => controls.report({ assumptions })),
    rows: (tableId, page) => told(({ inspect }) => inspect.rows(tableId, page)),
    tasks: (listId) => told(({ inspect }) => inspect.tasks(listId)),
    submissions: (formId) => told(({ inspect }) => inspect.submissions(formId)),
    setClock: ({ now, mode }) =>
      told(({ clock }) => {
        if (mode !== undefined) clock.mode = mode
        if (now !== undefined) clock.set(now)
      }),
    advance: (by) => told(({ clock }) => clock.advance(by)),
    faults: () => told((controls) => controls.faults()),
    addFault: (spec) => told((controls) => void controls.fault(spec)),
    removeFault: (id) =>
      told((controls) => {
        if (!controls.removeFault(id)) throw new NotFoundError(`fault ${id} does not exist`)
      }),
    clearFaults: () => told((controls) => controls.resetFaults()),
    changeWorkspace: ({ id }, { plan, billing, limits }) =>
      told((controls) => {
        if (plan !== undefined) controls.setPlan(plan, id)
        if (billing !== undefined) controls.lapseBilling(billing === 'lapsed', id)
        if (limits !== undefined) controls.setLimits(limits, id)
      }),
    suspendKey: (key, suspended) => told((controls) => controls.suspendKey(key, suspended)),
    lockTable: (tableId, locked) => told((controls) => controls.lockTable(tableId, locked)),
    restoreTask: (taskId) => told((controls) => controls.restoreTask(taskId)),
    publishForm: (formId, published) => told((controls) => controls.publishForm(formId, published)),
    submitForm: (formId, data) => told((controls) => controls.submitForm(formId, data)),
    answers: () => told((controls) => controls.answers),
    // What is none of the question's answers is refused by the mock itself.
    setAnswers: (answers) => told((controls) => controls.setAnswers(answers as AnswersInput)),
    snapshots: () => told((controls) => controls.snapshotNames()),
    saveSnapshot: (name) => told((controls) => controls.saveSnapshot(name)),
    restoreSnapshot: (name) => told((controls) => controls.restoreSnapshot(name)),
    deleteSnapshot: (name) => told((controls) => controls.deleteSnapshot(name)),
    reset: () => told((controls) => controls.reset()),
  }
}

export function createPageSource(mock: WorkspaceMock): ConsoleSource {
  return {
    baseUrl: mock.baseUrl,
    fixture: () => Promise.resolve(mock.fixtureName),
    questions: () => Promise.resolve(mock.questions),
    sandboxes: () => promised(() => mock.sandboxes()),
    world: (sandbox) => worldSource(() => (sandbox === null ? mock : mock.sandbox(sandbox))),
  }
}
