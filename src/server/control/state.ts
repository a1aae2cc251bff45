// Owns the routes of the control API for what the mock holds and assumes: state, snapshots, answers, questions.
import { questionRecords, type AnswersInput } from '../../contract/questions/register.ts'
import { route, routeWithJson } from './route.ts'

const stateBytes = 256 * 1024 * 1024

export const answerRoutes = [
  route('GET', '/questions', 'the register of open questions', () => ({ questions: questionRecords() })),
  route('GET', '/answers', 'the answers in force', ({ store }) => store.answers),
  routeWithJson(
    'PUT',
    '/answers',
    'gives answers; those not named stay',
    '{question: answer}',
    ({ store }, body) => store.setAnswers(body as AnswersInput),
  ),
]

export const stateRoutes = [
  route('GET', '/state', 'the whole state as a fixture', ({ store }) => store.state()),
  routeWithJson(
    'PUT',
    '/state',
    'replaces the whole state',
    'a fixture',
    ({ store }, body) => {
      store.loadState(body)
      return store.state()
    },
    stateBytes,
  ),
]

export const snapshotRoutes = [
  route('GET', '/snapshots', 'the names of those that are kept', ({ store }) => ({
    snapshots: store.snapshotNames(),
  })),
  route('PUT', '/snapshots/{name}', 'keeps the state under a name', ({ store, params: { name = '' } }) => {
    store.saveSnapshot(name)
    return { name }
  }),
  route('DELETE', '/snapshots/{name}', 'forgets one', ({ store, params: { name = '' } }) => {
    store.deleteSnapshot(name)
    return { success: true }
  }),
  route('POST', '/snapshots/{name}/restore', 'goes back to one', ({ store, params: { name = '' } }) => {
    store.restoreSnapshot(name)
    return { name, clock: { now: store.clock.now(), mode: store.clock.mode } }
  }),
]
