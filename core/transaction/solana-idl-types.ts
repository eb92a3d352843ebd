import type { Json } from '../failure.ts'
import { isObject, memberOf } from '../keys/typed-data-types.ts'
import { E } from '../prelude.ts'

/** A type of an Anchor IDL. Its values are written as Borsh writes them. */
export type IdlType = {
  /** How many types stand inside each other, itself included. */
  readonly height: number
  /** Whether its values take no bytes. */
  readonly isEmpty?: true
} & IdlShape

export type IdlShape =
  | { readonly kind: 'bool' | 'bytes' | 'f32' | 'f64' | 'publicKey' | 'string' }
  | { readonly kind: 'integer'; readonly bytes: number; readonly isSigned: boolean }
  /** Without a length, the data has it. */
  | { readonly kind: 'list'; readonly of: IdlType; readonly length: number | undefined }
  | { readonly kind: 'option'; readonly of: IdlType }
  | { readonly kind: 'struct'; readonly fields: IdlFields }
  | { readonly kind: 'enum'; readonly variants: readonly IdlVariant[] }

/** Fields with names, or by position. */
export type IdlFields = { readonly names: readonly string[] | undefined; readonly types: readonly IdlType[] }
export type IdlVariant = { readonly name: string; readonly fields: IdlFields }

/** Reads a type at a place of the IDL. */
export type ReadType = (json: Json | undefined, place: string) => E.Either<string, IdlType>

/** A name of an instruction, an argument, an account, a field or a variant. */
export const isIdlName = (json: Json | undefined): json is string => typeof json === 'string' && NAME.test(json)

/**
 * How the types of an IDL are read. Only those that an argument needs are looked at: accounts and events may use others, which no call has.
 *
 * @param definitions  the member `types`
 * @returns the reader; or what was expected of the definitions' names
 */
export const typeReader = (definitions: Json | undefined): E.Either<string, ReadType> => {
  if (!Array.isArray(definitions)) return E.left('a list, which may be empty, at types')
  const named: Named = new Map()
  for (const [index, definition] of (definitions as readonly Json[]).entries()) {
    const place = `types[${index}]`
    const name = isObject(definition) ? memberOf(definition, 'name') : undefined
    if (!isObject(definition) || typeof name !== 'string') return E.left(`an object with a name at ${place}`)
    if (named.has(name)) return E.left(`a name that no other type has at ${place}.name`)
    named.set(name, { definition, place })
  }
  const state: State = { named, read: new Map(), open: new Set() }
  return E.right((json, place) => readType(state, json, place, 1))
}

/** Fields with names; a name that stands there twice is refused. */
export const readNamedFields = (
  read: ReadType,
  fields: readonly Json[],
  place: string,
): E.Either<string, IdlFields> => {
  const types = new Map<string, IdlType>()
  for (const [index, field] of fields.entries()) {
    const at = `${place}[${index}]`
    const name = isObject(field) ? memberOf(field, 'name') : undefined
    if (!isObject(field) || !isIdlName(name)) return E.left(`a field with a name of letters, digits and _ at ${at}`)
    if (types.has(name)) return E.left(`a name that no other field has at ${at}.name`)
    const type = read(memberOf(field, 'type'), `${at}.type`)
    if (E.isLeft(type)) return type
    types.set(name, type.right)
  }
  return E.right({ names: [...types.keys()], types: [...types.values()] })
}

type Named = Map<string, { readonly definition: { readonly [member: string]: Json }; readonly place: string }>

type State = {
  readonly named: Named
  /** The defined types that were read, by name. */
  readonly read: Map<string, IdlType>
  /** The names of those around the one that is read. */
  readonly open: Set<string>
}

const NAME = /^[A-Za-z_]\w{0,127}$/
/** So deep may types stand inside each other: deeper ones would take a deep stack to read their values. */
const HEIGHT_MAX = 32
const ARRAY_LENGTH_MAX = 2 ** 32 - 1
const VARIANTS_MAX = 256

const simple: ReadonlyMap<string, IdlType> = new Map<string, IdlType>([
  ...(['bool', 'bytes', 'f32', 'f64', 'publicKey', 'string'] as const).map(
    (kind) => [kind, { kind, height: 1 }] as const,
  ),
  ['pubkey', { kind: 'publicKey', height: 1 }],
  ...[1, 2, 4, 8, 16].flatMap((bytes): (readonly [string, IdlType])[] => [
    [`u${8 * bytes}`, { kind: 'integer', bytes, isSigned: false, height: 1 }],
    [`i${8 * bytes}`, { kind: 'integer', bytes, isSigned: true, height: 1 }],
  ]),
])

const readType = (state: State, json: Json | undefined, place: string, depth: number): E.Either<string, IdlType> => {
  if (depth > HEIGHT_MAX) return E.left(`at most ${HEIGHT_MAX} types inside each other at ${place}`)
  if (typeof json === 'string') {
    const type = simple.get(json)
    return type === undefined ? E.left(`a type that arguments can have at ${place}`) : E.right(type)
  }
  const [entry, other] = isObject(json) ? Object.entries(json) : []
  if (entry === undefined || other !== undefined) return E.left(`a type that arguments can have at ${place}`)
  const [kind, of] = entry
  const at = `${place}.${kind}`
  switch (kind) {
    case 'vec':
      return E.flatMap((type: IdlType) => listOf(type, undefined, at))(readType(state, of, at, depth + 1))
    case 'array':
      return readArray(state, of, at, depth)
    case 'option':
      return E.flatMap((type: IdlType) =>
        type.kind === 'option'
          ? E.left(`a type other than option at ${at}`) // one without a value would read as the other
          : higher({ kind: 'option', of: type }, [type], at),
      )(readType(state, of, at, depth + 1))
    case 'defined':
      return readDefined(state, of, at, depth)
    default:
      return E.left(`a type that arguments can have at ${place}`)
  }
}

/** A type of the given ones. */
const higher = (shape: IdlShape, inside: readonly IdlType[], place: string): E.Either<string, IdlType> => {
  const height = inside.reduce((highest, type) => Math.max(highest, type.height), 0) + 1
  if (height > HEIGHT_MAX) return E.left(`at most ${HEIGHT_MAX} types inside each other at ${place}`)
  const isEmpty =
    (shape.kind === 'struct' && inside.every((type) => type.isEmpty)) || (shape.kind === 'list' && shape.length === 0)
  return E.right({ ...shape, height, ...(isEmpty ? { isEmpty } : {}) })
}

/** Items that take no bytes are refused: four bytes could say that there are four thousand millions of them. */
const listOf = (of: IdlType, length: number | undefined, place: string): E.Either<string, IdlType> =>
  of.isEmpty ? E.left(`a type that takes bytes at ${place}`) : higher({ kind: 'list', of, length }, [of], place)

const readArray = (state: State, json: Json, place: string, depth: number): E.Either<string, IdlType> => {
  const [of, length, ...others] = Array.isArray(json) ? (json as readonly Json[]) : []
  if (typeof length !== 'number' || !Number.isInteger(length) || length < 0 || length > ARRAY_LENGTH_MAX)
    return E.left(`a type and a length at ${place}`)
  if (others.length > 0) return E.left(`a type and a length at ${place}`)
  return E.flatMap((type: IdlType) => listOf(type, length, place))(readType(state, of, `${place}[0]`, depth + 1))
}

/** The old form names the type, the new one has an object with its name. */
const readDefined = (state: State, json: Json, place: string, depth: number): E.Either<string, IdlType> => {
  const name = isObject(json) ? memberOf(json, 'name') : json
  const generics = isObject(json) ? memberOf(json, 'generics') : undefined
  const found = typeof name === 'string' ? state.named.get(name) : undefined
  if (typeof name !== 'string' || found === undefined) return E.left(`the name of a type in types at ${place}`)
  if (hasItems(generics) || hasItems(memberOf(found.definition, 'generics')))
    return E.left(`a type without generics at ${place}`)
  const known = state.read.get(name)
  if (known !== undefined) return E.right(known)
  if (state.open.has(name)) return E.left(`no type that contains itself at ${found.place}`)
  const serialization = memberOf(found.definition, 'serialization') ?? 'borsh'
  if (serialization !== 'borsh') return E.left(`borsh at ${found.place}.serialization`)
  state.open.add(name)
  const type = readDefinition(state, memberOf(found.definition, 'type'), `${found.place}.type`, depth)
  state.open.delete(name)
  if (E.isRight(type)) state.read.set(name, type.right)
  return type
}

const hasItems = (json: Json | undefined): boolean => Array.isArray(json) && json.length > 0

const readDefinition = (
  state: State,
  json: Json | undefined,
  place: string,
  depth: number,
): E.Either<string, IdlType> => {
  const kind = isObject(json) ? memberOf(json, 'kind') : undefined
  if (!isObject(json)) return E.left(`a definition with its kind at ${place}`)
  switch (kind) {
    case 'struct':
      return E.flatMap((fields: IdlFields) => higher({ kind, fields }, fields.types, place))(
        readFields(state, memberOf(json, 'fields'), `${place}.fields`, depth),
      )
    case 'enum':
      return readEnum(state, memberOf(json, 'variants'), `${place}.variants`, depth)
    case 'alias': // the old form
      return readAlias(state, memberOf(json, 'value'), `${place}.value`, depth)
    case 'type': // the new form
      return readAlias(state, memberOf(json, 'alias'), `${place}.alias`, depth)
    default:
      return E.left(`struct, enum, alias or type at ${place}.kind`)
  }
}

/** Another name counts as a type of its own, so that a long chain of names takes no deep stack either. */
const readAlias = (state: State, json: Json | undefined, place: string, depth: number): E.Either<string, IdlType> =>
  E.flatMap((type: IdlType) =>
    type.height < HEIGHT_MAX
      ? E.right({ ...type, height: type.height + 1 })
      : E.left(`at most ${HEIGHT_MAX} types inside each other at ${place}`),
  )(readType(state, json, place, depth + 1))

/** Fields that are not there are no fields. */
const readFields = (
  state: State,
  json: Json | undefined,
  place: string,
  depth: number,
): E.Either<string, IdlFields> => {
  if (json === undefined || json === null) return E.right({ names: undefined, types: [] })
  if (!Array.isArray(json)) return E.left(`a list of fields at ${place}`)
  const items: readonly Json[] = json
  const [first] = items
  const read: ReadType = (type, at) => readType(state, type, at, depth + 1)
  if (isObject(first) && Object.hasOwn(first, 'name')) return readNamedFields(read, items, place)
  const types: IdlType[] = []
  for (const [index, item] of items.entries()) {
    const type = read(item, `${place}[${index}]`)
    if (E.isLeft(type)) return type
    types.push(type.right)
  }
  return E.right({ names: undefined, types })
}

const readEnum = (state: State, json: Json | undefined, place: string, depth: number): E.Either<string, IdlType> => {
  if (!Array.isArray(json) || json.length === 0 || json.length > VARIANTS_MAX)
    return E.left(`1 to ${VARIANTS_MAX} variants at ${place}`)
  const variants = new Map<string, IdlVariant>()
  for (const [index, item] of (json as readonly Json[]).entries()) {
    const at = `${place}[${index}]`
    const name = isObject(item) ? memberOf(item, 'name') : undefined
    if (!isObject(item) || !isIdlName(name)) return E.left(`a variant with a name of letters, digits and _ at ${at}`)
    // The value has its variant's name in a member `name`, and its fields in a member of the variant's name.
    if (variants.has(name) || name === 'name')
      return E.left(`a name other than "name" that no other variant has at ${at}.name`)
    const fields = readFields(state, memberOf(item, 'fields'), `${at}.fields`, depth)
    if (E.isLeft(fields)) return fields
    variants.set(name, { name, fields: fields.right })
  }
  const all = [...variants.values()]
  return higher(
    { kind: 'enum', variants: all },
    all.flatMap(({ fields }) => fields.types),
    place,
  )
}
