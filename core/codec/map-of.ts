import * as t from 'io-ts'

/** The codec that `mapOf` makes. It keeps the codec of the values. */
export class MapType<A> extends t.Type<Map<string, A>, unknown, unknown> {
  readonly value: t.Mixed

  constructor(value: t.Type<A, unknown, unknown>) {
    super(
      `a map of ${value.name}`,
      (u): u is Map<string, A> =>
        u instanceof Map && [...u].every(([key, one]) => typeof key === 'string' && value.is(one)),
      (u, context) => {
        if (!Array.isArray(u)) return t.failure(u, context, 'expected a list of entries')
        const map = new Map<string, A>()
        for (const entry of u as readonly unknown[]) {
          if (!Array.isArray(entry) || typeof entry[0] !== 'string' || map.has(entry[0]))
            return t.failure(entry, context, 'expected a name, once, and its value')
          const decoded = value.validate(entry[1], context)
          if (decoded._tag === 'Left') return decoded
          map.set(entry[0], decoded.right)
        }
        return t.success(map)
      },
      (map) => Array.from(map, ([key, one]) => [key, value.encode(one)]),
    )
    this.value = value
  }
}

/**
 * A map with texts as keys, for states. It is written as a list of its entries, in their order.
 *
 * @param value  the codec of the map's values
 */
export const mapOf = <A>(value: t.Type<A, unknown, unknown>): t.Type<Map<string, A>, unknown, unknown> =>
  new MapType(value)
