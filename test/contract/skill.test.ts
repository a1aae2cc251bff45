// The skill for agents: each command, member and page it names exists.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'
import { allRoutes } from '../../src/adapters/server/control-routes.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const skill = readFileSync(`${root}src/tools/mcp/SKILL.md`, 'utf8')
const codes = [...skill.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)

it('names commands of the command line alone, and all of them', () => {
  const main = readFileSync(`${root}src/tools/cli/main.ts`, 'utf8')
  const commands = new Set([...main.matchAll(/\.?[cC]ommand\('(\w+)'\)/g)].map(([, name = '']) => name))
  const [, listed = ''] = /## Commands\n\n([^;]*);/.exec(skill) ?? []
  const names = [...listed.matchAll(/`(?:npx workspace-api-mock )?(\w+)`/g)].map(([, name = '']) => name)
  expect(names.sort()).toEqual([...commands].sort())
  for (const [, name = ''] of skill.matchAll(/workspace-api-mock (\w+)/g)) expect(commands).toContain(name)
})

it('names members of a mock', () => {
  const mock = createWorkspaceMock() as unknown as Record<string, Record<string, unknown>>
  const members = [...skill.matchAll(/\bmock\.(\w+)(?:\.(\w+))?/g)]
  expect(members.length).toBeGreaterThan(8)
  for (const [text, name = '', inner] of members) {
    expect(mock[name], text).toBeDefined()
    if (inner !== undefined) expect(mock[name]?.[inner], text).toBeDefined()
  }
})

it('names routes, keys and pages that exist', () => {
  const routes: string[] = allRoutes.map(({ route }) => route.replace(' ', ' /__mock'))
  const named = codes.filter((code) => /^(?:GET|POST) /.test(code))
  expect(named.length).toBeGreaterThan(3)
  expect(named.filter((route) => !routes.includes(route))).toEqual([])
  const keys = Object.values(createWorkspaceMock().keys)
  expect(codes.filter((code) => code.startsWith('wm_') && !keys.includes(code))).toEqual([])
  const pages = codes.filter((code) => code.endsWith('.md'))
  expect(pages.length).toBeGreaterThan(4)
  expect(pages.filter((page) => !existsSync(root + page))).toEqual([])
})

it('has a name and a description that say when to use it', () => {
  expect(skill).toMatch(/^---\nname: workspace-api-mock\ndescription: .*Use when .*\n---\n/)
})
