// When a change to a file is acted on: once it has been written to its end.
import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { versionsOf, watchFiles } from '../../src/cli/serve/watch-files.ts'

const lookMs = 100

describe('watchFiles', () => {
  let folder: string
  let file: string
  let stop: () => void
  const onChange = vi.fn()
  const look = () => vi.advanceTimersByTime(lookMs)

  beforeEach(() => {
    vi.useFakeTimers()
    folder = mkdtempSync(join(tmpdir(), 'workspace-api-mock-watch-'))
    file = join(folder, 'company.json')
    writeFileSync(file, 'one')
    stop = watchFiles([file], versionsOf([file]), onChange)
  })
  afterEach(() => {
    stop()
    onChange.mockClear()
    vi.useRealTimers()
    rmSync(folder, { recursive: true })
  })

  it('tells nothing while nothing changes', () => {
    for (let looks = 0; looks < 20; looks++) look()
    expect(onChange).not.toHaveBeenCalled()
  })

  it('tells once of what is written in several steps, after the last', () => {
    for (const part of ['a', 'b', 'c']) {
      appendFileSync(file, part)
      look()
      expect(onChange).not.toHaveBeenCalled()
    }
    for (let looks = 0; looks < 20; looks++) look()
    expect(onChange).toHaveBeenCalledTimes(1)
  })

  it('tells of a file that another took the place of', () => {
    writeFileSync(`${file}.new`, 'two')
    renameSync(`${file}.new`, file)
    look()
    look()
    expect(onChange).toHaveBeenCalledTimes(1)
  })

  it('tells of a file that goes, and of one that comes back', () => {
    rmSync(file)
    look()
    look()
    expect(onChange).toHaveBeenCalledTimes(1)
    writeFileSync(file, 'two')
    look()
    look()
    expect(onChange).toHaveBeenCalledTimes(2)
  })

  it('tells nothing of a file that goes and comes back between two looks of one writing', () => {
    rmSync(file)
    look()
    writeFileSync(file, 'two')
    look()
    expect(onChange).not.toHaveBeenCalled()
    look()
    expect(onChange).toHaveBeenCalledTimes(1)
  })

  it('tells of what changed before the first look', () => {
    stop()
    const known = versionsOf([file])
    writeFileSync(file, 'later')
    stop = watchFiles([file], known, onChange)
    look()
    look()
    expect(onChange).toHaveBeenCalledTimes(1)
  })

  it('tells nothing once it has ended', () => {
    writeFileSync(file, 'two, longer')
    stop()
    look()
    look()
    expect(onChange).not.toHaveBeenCalled()
  })
})
