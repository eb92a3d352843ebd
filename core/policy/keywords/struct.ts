import type { ListOf, MapOf, Struct, Type } from '../value-types.ts'

/** A struct of the facts. Members behind a `?` can be absent: reading such a member is then an error of the evaluation. */
export const struct = (name: string, members: Readonly<Record<string, Type>>): Struct => {
  const entries = Object.entries(members)
  return {
    struct: name,
    fields: Object.fromEntries(entries.map(([member, type]) => [member.replace('?', ''), type])),
    optional: new Set(entries.filter(([member]) => member.endsWith('?')).map(([member]) => member.replace('?', ''))),
  }
}

export const listOf = (list: Type): ListOf => ({ list })

export const mapOf = (map: Type): MapOf => ({ map })
