import * as t from 'io-ts'

/**
 * A value that a codec has read, with the members that the codec knows, in the order in which it names them: the one
 * spelling of the data of an event. Where the codec takes any JSON, that stays as it is.
 */
export const knownMembers = (codec: t.Mixed, value: unknown): unknown => {
  if (codec instanceof t.ReadonlyArrayType || codec instanceof t.ArrayType) {
    const item = codec.type as t.Mixed // what the list was made of
    return Array.isArray(value) ? value.map((entry) => knownMembers(item, entry)) : value
  }
  const members = membersOf(codec)
  if (members === undefined || typeof value !== 'object' || value === null) return value
  const known: { [name: string]: unknown } = {}
  for (const [name, member] of members) {
    if (!Object.hasOwn(value, name)) continue
    known[name] = knownMembers(member, (value as { readonly [name: string]: unknown })[name]) // the line above
  }
  return known
}

/** The members of an object by its codec, in order; undefined for what is no object of known members. */
const membersOf = (codec: t.Mixed): readonly (readonly [string, t.Mixed])[] | undefined => {
  if (codec instanceof t.ExactType) return membersOf(codec.type as t.Mixed) // what it was made of
  if (codec instanceof t.InterfaceType || codec instanceof t.PartialType) return Object.entries(codec.props as t.Props) // what it was made of
  if (!(codec instanceof t.IntersectionType)) return undefined
  const all = (codec.types as readonly t.Mixed[]).map(membersOf) // what it was made of
  return all.every((members) => members !== undefined) ? all.flat() : undefined
}
