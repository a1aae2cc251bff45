// How answers to open questions are set and refused. The files next to this one test what each answer changes.
import { describe, expect, it } from 'vitest'
import { useMock } from '../support/harness.ts'

describe('answers in general', () => {
  const { api, control } = useMock({ answers: { taskReadExtras: true } })

  it('mock.setAnswers() merges with the answers given at the start, to which mock.reset() returns', async () => {
    expect((await api.get('/tasks/tsk_full')).at('list_id')).toBe('lst_main')
    await control.setAnswers({ mutationBody: 'empty' })
    expect((await control.answers()).taskReadExtras).toBe(true)
    await control.setAnswers({ taskReadExtras: false })
    expect((await api.get('/tasks/tsk_full')).at('list_id')).toBeUndefined()
    expect((await api.delete('/tasks/tsk_full')).json).toEqual({})
    await control.reset()
    expect((await api.get('/tasks/tsk_full')).at('list_id')).toBe('lst_main')
    expect((await api.delete('/tasks/tsk_full')).json).toEqual({ success: true })
  })

  it.each([
    [{ rowshape: 'flat' }, 'rowShape'],
    [{ nothing: 1 }, 'nothing'],
    [{ rowShape: 'round' }, 'rowShape'],
    [{ taskPriority: { low: 0 } }, 'taskPriority'],
    [{ taskPriority: { lowest: 9 } }, 'taskPriority'],
    [{ jobTimeline: { chunkMs: 499 } }, 'jobTimeline'],
    [{ bulkInsertPerMinute: { gold: 1 } }, 'bulkInsertPerMinute'],
    [{ bodyBytes: '1' }, 'bodyBytes'],
    [{ scopes: { noOperation: 'x' } }, 'scopes'],
    [{ rowVersion: 'other' }, 'rowVersion'],
    [{ editRunning: 404 }, 'editRunning'],
    [{ statusTransitions: { open: [] } }, 'statusTransitions'],
    [{ mutationBody: 'empty', rowShape: 'round' }, 'rowShape'],
    [[], 'answers'],
    ['flat', 'answers'],
  ])('mock.setAnswers() refuses %j naming the cause, and nothing changes', async (answers, cause) => {
    const before = await control.answers()
    await expect(control.setAnswers(answers)).rejects.toThrow(cause)
    expect(await control.answers()).toEqual(before)
  })
})
