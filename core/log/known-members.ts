import * as t from 'io-ts'

/**
 * Gives a test for values of a codec: whether a value has only members that the codec knows, in the codec's order. This is the one spelling
 * of the data of an event. If the codec accepts any JSON, any value passes.
 */
export const knownMembers = (codec: t.Mixed): ((value: unknown) => boolean) => {
  if (codec instanceof t.ReadonlyArrayType || codec instanceof t.ArrayType) {
    const isKnown = knownMembers(codec.type as t.Mixed) // what the list was made of
    return (value) => !Array.isArray(value) || value.every(isKnown)
  }
  const members = membersOf(codec)
  if (members === undefined) return () => true
  const names = members.map(([name]) => name)
  const tests = members.map(([, member]) => knownMembers(member))
  return (value) => {
    if (typeof value !== 'object' || value === null) return true
    let at = -1
    for (const [name, member] of Object.entries(value)) {
      at = names.indexOf(name, at + 1)
      if (at < 0 || tests[at]?.(member) !== true) return false
    }
    return true
  }
}

/** The members of an object codec, in order; undefined for a codec that is not for objects with known members. */
const membersOf = (codec: t.Mixed): readonly (readonly [string, t.Mixed])[] | undefined => {
  if (codec instanceof t.ExactType) return membersOf(codec.type as t.Mixed) // what it was made of
  if (codec instanceof t.InterfaceType || codec instanceof t.PartialType) return Object.entries(codec.props as t.Props) // what it was made of
  if (!(codec instanceof t.IntersectionType)) return undefined
  const all = (codec.types as readonly t.Mixed[]).map(membersOf) // what it was made of
  return all.every((members) => members !== undefined) ? all.flat() : undefined
}
