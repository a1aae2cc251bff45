// MSW requests an update of its worker at each start without awaiting it; Firefox rejects that while another update runs.
const { update } = ServiceWorkerRegistration.prototype
ServiceWorkerRegistration.prototype.update = function ignoreFailure() {
  return update.call(this).catch(() => this)
}
