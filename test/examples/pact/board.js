// The client under test: reads a list for a board and carries out the user's actions.
export class Board {
  #base
  #headers

  constructor(base, key) {
    this.#base = base
    this.#headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  }

  async #call(method, path, body) {
    const init = { method, headers: this.#headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(`${this.#base}${path}`, init)
    const answer = await response.json()
    if (!response.ok) throw new Error(answer.error)
    return answer
  }

  async tasks(listId) {
    return (await this.#call('GET', `/lists/${listId}/tasks?limit=3`)).tasks
  }

  add(listId, title) {
    return this.#call('POST', `/lists/${listId}/tasks`, { title, priority: 'high' })
  }

  rename(taskId, title) {
    return this.#call('PATCH', `/tasks/${taskId}`, { title })
  }

  startJob(tableId, rows) {
    return this.#call('POST', `/datatables/${tableId}/jobs/insert`, { rows })
  }
}
