// Creates map entries on first use, and lists the ids of records.

/** Returns a key's value; creates and stores it if the map does not have the key. */
export function getOrInsert<K, V>(
  map: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: () => V,
): V {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = make()))
  return value
}

export const idsOf = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id)
