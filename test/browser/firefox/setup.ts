// MSW asks for an update of its worker at each start and awaits no answer; Firefox rejects while another update runs.
const { update } = ServiceWorkerRegistration.prototype
ServiceWorkerRegistration.prototype.update = function ignoreFailure() {
  return update.call(this).catch(() => this)
}
