// Owns what mock.fetch gives beyond the API's answers: broken connections, and a journal that two runs share.
import { describe, expect, it } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'

const headers = { authorization: 'Bearer wm_demo_master' }

describe('mock.fetch', () => {
  it.each([
    'https://api.workspace.test/v2/me',
    'https://other.test/v1/me',
    'https://api.workspace.test/v1x/me',
  ])('answers 404 to %s, which is outside of the base address', async (url) => {
    const answer = await createWorkspaceMock().fetch(new Request(url, { headers }))
    expect(answer.status).toBe(404)
  })

  it('rejects as fetch does when a fault breaks the connection', async () => {
    const mock = createWorkspaceMock()
    const me = () => mock.fetch(new Request(`${mock.baseUrl}/me`, { headers }))
    const fault = mock.fault({ network: true })
    await expect(me()).rejects.toThrow(TypeError)
    expect(fault.hits).toBe(1)
    expect((await me()).status).toBe(200)
  })

  it('leaves the same journal and HAR twice when bodies are multipart, whose boundary is drawn by lot', async () => {
    const mock = createWorkspaceMock()
    const upload = async () => {
      const body = new FormData()
      body.set('file', new File([new Uint8Array([255, 0, 137])], 'dot.png', { type: 'image/png' }))
      const url = `${mock.baseUrl}/tasks/tsk_label/attachments`
      const uploaded = await mock.fetch(new Request(url, { method: 'POST', headers, body }))
      const { attachment } = (await uploaded.json()) as { attachment: { url: string } }
      await mock.fetch(new Request(attachment.url, { headers }))
      return JSON.stringify([mock.requests(), mock.har()])
    }
    const first = await upload()
    const download = mock.har().log.entries[1]?.response
    expect(download).toMatchObject({ content: { size: 3, text: '/wCJ', encoding: 'base64' } })
    mock.reset()
    expect(await upload()).toBe(first)
  })
})
