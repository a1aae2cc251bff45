// Hooks of Dredd: the key of the demo workspace, and the status that a transaction is about.
const hooks = require('hooks')

hooks.beforeEach(({ request, expected }) => {
  request.headers.Authorization = 'Bearer wm_demo_master'
  if (Number(expected.statusCode) >= 400) request.headers.Prefer = `code=${expected.statusCode}`
})
