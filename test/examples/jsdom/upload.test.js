import { expect } from 'vitest'
import { test } from 'workspace-api-mock/vitest'

test('the environment is that of a browser', () => {
  document.body.innerHTML = '<p>Hello</p>'
  expect(document.querySelector('p')?.textContent).toBe('Hello')
})

test('fetch reaches the mock', async ({ mock }) => {
  const answer = await fetch(`${mock.baseUrl}/me`, {
    headers: { authorization: `Bearer ${mock.keys.master}` },
  })
  expect(await answer.json()).toMatchObject({ workspace: { plan: 'pro' } })
})

test('a form with a file arrives', async ({ mock, call }) => {
  const { body } = await call('listLists')
  const { id: listId } = body.lists[0]
  const form = new FormData()
  form.set('data', JSON.stringify({ title: 'With a file' }))
  form.append('file', new File(['hello'], 'hello.txt', { type: 'text/plain' }))
  const answer = await fetch(`${mock.baseUrl}/lists/${listId}/tasks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${mock.keys.master}` },
    body: form,
  })
  expect(answer.status).toBe(201)
  expect(await answer.json()).toMatchObject({ attachments: [{ filename: 'hello.txt', size_bytes: 5 }] })
})
