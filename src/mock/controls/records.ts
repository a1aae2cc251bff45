// Looks up a store's records by resource name.
import { resources, type ResourceName } from '../../contract/resources.ts'
import { assertExists } from '../control-error.ts'
import { collectionOf, type Store } from '../../service/store/store.ts'
import type { Records } from '../../contract/types.d.ts'

export function getRecord<Name extends ResourceName>(store: Store, name: Name, id: string): Records[Name] {
  const collection = collectionOf(store, name)
  const what = name === 'tables' ? 'datatable' : resources[name].singular
  const known = typeof id === 'string' ? collection.get(id) : undefined
  return assertExists(known, what, id, () => collection.all())
}
