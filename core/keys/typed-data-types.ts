import type { Json } from '../failure.ts'
import { E } from '../prelude.ts'

/** The struct types of typed data, each with its members in order. */
export type StructTypes = ReadonlyMap<string, readonly Member[]>
export type Member = { readonly name: string; readonly type: string }

/** The most struct types, and the most characters of all their definitions: hashing them takes at most their product. */
export const TYPES_MAX = 100
export const TYPES_LENGTH_MAX = 32_768

/**
 * The struct types of EIP-712, as the member `types` has them.
 *
 * @returns the types; or what was expected: types that are there, that have no circle and no member twice, and names that cannot be mistaken
 *   for something else once they stand in the text of a type
 */
export const structTypesOf = (json: Json | undefined): E.Either<string, StructTypes> => {
  if (!isObject(json)) return E.left('an object of struct types at types')
  const names = Object.keys(json)
  if (names.length > TYPES_MAX) return E.left(`at most ${TYPES_MAX} struct types at types`)
  const types = new Map<string, readonly Member[]>()
  for (const name of names) {
    const members = isStructName(name) ? membersOf(json[name]) : undefined
    if (members === undefined)
      return E.left('names of structs with lists of {name, type} at types, each name of a member once')
    types.set(name, members)
  }
  const length = names.reduce((sum, name) => sum + definitionOf(types, name).length, 0)
  if (length > TYPES_LENGTH_MAX) return E.left(`at most ${TYPES_LENGTH_MAX} characters of definitions at types`)
  for (const [name, members] of types)
    for (const member of members)
      if (!isKnown(types, member.type)) return E.left(`a known type at types.${name}.${member.name}`)
  const circular = names.find((name) => isCircular(types, name))
  return circular === undefined ? E.right(types) : E.left(`no type that contains itself at types.${circular}`)
}

/** The text of a type: its definition, then those of the structs that it needs, by name (EIP-712, `encodeType`). */
export const typeText = (types: StructTypes, name: string): string => {
  const needed = new Set<string>()
  const need = (one: string): void => {
    for (const { type } of types.get(one) ?? []) {
      const base = baseOf(type)
      if (!types.has(base) || needed.has(base)) continue
      needed.add(base)
      need(base)
    }
  }
  need(name)
  return [name, ...[...needed].toSorted()].map((one) => definitionOf(types, one)).join('')
}

/** The type of an array's elements, and how many it has to have; `undefined` for a type that is no array. */
export const arrayOf = (
  type: string,
): { readonly element: string; readonly length: number | undefined } | undefined => {
  if (!type.endsWith(']')) return undefined
  const open = type.lastIndexOf('[')
  const length = type.slice(open + 1, -1)
  return { element: type.slice(0, open), length: length === '' ? undefined : Number(length) }
}

export const isObject = (json: Json | undefined): json is { readonly [key: string]: Json } =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

/** The member, if the object itself has it: `constructor` may be the name of one. */
export const memberOf = (object: { readonly [key: string]: Json }, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

/** Some chains write a colon into the name of a primary type. */
const STRUCT_NAME = /^[A-Za-z_$][\w$:]{0,127}$/
const MEMBER_NAME = /^[A-Za-z_$][\w$]{0,127}$/
const TYPE = /^[A-Za-z_$][\w$:]{0,127}(?:\[(?:[1-9]\d{0,5})?\]){0,16}$/
const ATOMIC = /^(?:address|bool|string|bytes(?:[1-9]|[12]\d|3[0-2])?|u?int(\d{1,3}))$/
/** The widths of integers: the whole bytes up to 256 bits. */
const WIDTHS = new Set(Array.from({ length: 32 }, (_, i) => String(8 * (i + 1))))
/** Names that EIP-712 keeps for itself, whether they have a meaning or not. */
const RESERVED = /^(?:address|bool|string|u?int\d*|bytes\d*)$/

const isStructName = (name: string): boolean => STRUCT_NAME.test(name) && !RESERVED.test(name)

const membersOf = (json: Json | undefined): readonly Member[] | undefined => {
  if (!Array.isArray(json)) return undefined
  const members: Member[] = []
  const names = new Set<string>()
  for (const one of json as readonly Json[]) {
    if (!isObject(one) || Object.keys(one).length !== 2) return undefined
    const [name, type] = [memberOf(one, 'name'), memberOf(one, 'type')]
    if (typeof name !== 'string' || typeof type !== 'string') return undefined
    if (!MEMBER_NAME.test(name) || !TYPE.test(type) || names.has(name)) return undefined
    names.add(name)
    members.push({ name, type })
  }
  return members
}

const isKnown = (types: StructTypes, type: string): boolean => isAtomic(baseOf(type)) || types.has(baseOf(type))

const isAtomic = (type: string): boolean => {
  const [matched, bits] = ATOMIC.exec(type) ?? []
  return matched !== undefined && (bits === undefined || WIDTHS.has(bits))
}

const baseOf = (type: string): string => type.split('[', 1)[0] ?? ''

const definitionOf = (types: StructTypes, name: string): string =>
  `${name}(${(types.get(name) ?? []).map(({ name: member, type }) => `${type} ${member}`).join(',')})`

const isCircular = (types: StructTypes, name: string): boolean => {
  const seen = new Set<string>()
  const reaches = (one: string): boolean =>
    (types.get(one) ?? []).some(({ type }) => {
      const base = baseOf(type)
      if (base === name) return true
      if (seen.has(base)) return false
      seen.add(base)
      return reaches(base)
    })
  return reaches(name)
}
