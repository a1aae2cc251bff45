// A file change takes effect once the file has been completely written.
import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { versionsOf, watchFiles } from '../../src/tools/cli/serve/watch-files.ts'

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

  it('reports nothing while the files stay the same', () => {
    for (let looks = 0; looks < 20; looks++) look()
    expect(onChange).not.toHaveBeenCalled()
  })

  it('reports a write in several steps once, after the last step', () => {
    for (const part of ['a', 'b', 'c']) {
      appendFileSync(file, part)
      look()
      expect(onChange).not.toHaveBeenCalled()
    }
    for (let looks = 0; looks < 20; looks++) look()
    expect(onChange).toHaveBeenCalledTimes(1)
  })

  it('reports a file that another one replaces', () => {
    writeFileSync(`${file}.new`, 'two')
    renameSync(`${file}.new`, file)
    look()
    look()
    expect(onChange).toHaveBeenCalledTimes(1)
  })

  it('reports a file that is removed, and one that is created again', () => {
    rmSync(file)
    look()
    look()
    expect(onChange).toHaveBeenCalledTimes(1)
    writeFileSync(file, 'two')
    look()
    look()
    expect(onChange).toHaveBeenCalledTimes(2)
  })

  it('reports nothing for a file that is removed and created again between two polls', () => {
    rmSync(file)
    look()
    writeFileSync(file, 'two')
    look()
    expect(onChange).not.toHaveBeenCalled()
    look()
    expect(onChange).toHaveBeenCalledTimes(1)
  })

  it('reports a change before the first poll', () => {
    stop()
    const known = versionsOf([file])
    writeFileSync(file, 'later')
    stop = watchFiles([file], known, onChange)
    look()
    look()
    expect(onChange).toHaveBeenCalledTimes(1)
  })

  it('reports nothing after it was stopped', () => {
    writeFileSync(file, 'two, longer')
    stop()
    look()
    look()
    expect(onChange).not.toHaveBeenCalled()
  })
})
