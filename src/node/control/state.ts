// Owns the routes of the control API for what the mock holds and assumes: state, snapshots, answers, questions.
import { questionRecords, type AnswersInput } from '../../contract/questions.ts'
import { route, routeWithJson } from './route.ts'

const stateBytes = 256 * 1024 * 1024

export const answerRoutes = [
  route('GET', '/questions', () => ({ questions: questionRecords() })),
  route('GET', '/answers', ({ world }) => world.answers),
  routeWithJson('PUT', '/answers', ({ world }, body) => world.setAnswers(body as AnswersInput)),
]

export const stateRoutes = [
  route('GET', '/state', ({ world }) => world.state()),
  routeWithJson(
    'PUT',
    '/state',
    ({ world }, body) => {
      world.loadState(body)
      return world.state()
    },
    stateBytes,
  ),
]

export const snapshotRoutes = [
  route('GET', '/snapshots', ({ world }) => ({ snapshots: world.snapshotNames() })),
  route('PUT', '/snapshots/{name}', ({ world, params: { name = '' } }) => {
    world.saveSnapshot(name)
    return { name }
  }),
  route('DELETE', '/snapshots/{name}', ({ world, params: { name = '' } }) => {
    world.deleteSnapshot(name)
    return { success: true }
  }),
  route('POST', '/snapshots/{name}/restore', ({ world, params: { name = '' } }) => {
    world.restoreSnapshot(name)
    return { name, clock: { now: world.clock.now(), mode: world.clock.mode } }
  }),
]
