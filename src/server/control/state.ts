// Owns the routes of the control API for what the mock holds and assumes: state, snapshots, answers, questions.
import { questionRecords, type AnswersInput } from '../../contract/questions/register.ts'
import { route, routeWithJson } from './route.ts'

const stateBytes = 256 * 1024 * 1024

export const answerRoutes = [
  route('GET', '/questions', 'the register of open questions', () => ({ questions: questionRecords() })),
  route('GET', '/answers', 'the answers in force', ({ world }) => world.answers),
  routeWithJson(
    'PUT',
    '/answers',
    'gives answers; those not named stay',
    '{question: answer}',
    ({ world }, body) => world.setAnswers(body as AnswersInput),
  ),
]

export const stateRoutes = [
  route('GET', '/state', 'the whole state as a fixture', ({ world }) => world.state()),
  routeWithJson(
    'PUT',
    '/state',
    'replaces the whole state',
    'a fixture',
    ({ world }, body) => {
      world.loadState(body)
      return world.state()
    },
    stateBytes,
  ),
]

export const snapshotRoutes = [
  route('GET', '/snapshots', 'the names of those that are kept', ({ world }) => ({
    snapshots: world.snapshotNames(),
  })),
  route('PUT', '/snapshots/{name}', 'keeps the state under a name', ({ world, params: { name = '' } }) => {
    world.saveSnapshot(name)
    return { name }
  }),
  route('DELETE', '/snapshots/{name}', 'forgets one', ({ world, params: { name = '' } }) => {
    world.deleteSnapshot(name)
    return { success: true }
  }),
  route('POST', '/snapshots/{name}/restore', 'goes back to one', ({ world, params: { name = '' } }) => {
    world.restoreSnapshot(name)
    return { name, clock: { now: world.clock.now(), mode: world.clock.mode } }
  }),
]
