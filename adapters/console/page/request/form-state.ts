import { isObject } from '../../../../core/codec/codec.ts'
import type { Json } from '../../../../core/failure.ts'
import { ANYTHING, fieldOf, type Field, type Member, type Schema } from './schema-form.ts'

/** What is filled in at a field. Nothing yet, or what is left out, is `undefined`. */
export type State =
  /** Of a text, a number, or a choice: the last one as JSON. An empty text is one that was meant. */
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'list'; readonly entries: readonly (State | undefined)[] }
  | ObjectState
  | { readonly is: 'union'; readonly chosen: number; readonly state: State | undefined }
  /** Of any field: what it has no other place for is written as JSON. */
  | { readonly is: 'json'; readonly text: string }

export type ObjectState = {
  readonly is: 'object'
  readonly members: { readonly [name: string]: State | undefined }
  /** Members that the schema does not name. */
  readonly others: readonly { readonly name: string; readonly state: State | undefined }[]
}

/**
 * Why something cannot be sent: it is missing, too few, not a (whole) number, not JSON, too exact a number, or has no name of its own. `misfit`
 * is JSON that no form shows.
 */
export type Reason = 'missing' | 'few' | 'number' | 'whole' | 'json' | 'exact' | 'name' | 'misfit'

/** @see memberAt for `at` */
export type Fault = { readonly at: string; readonly reason: Reason }

/** The place of all parameters. Places are ids in a page, too. */
export const ROOT = 'parameters'

export const memberAt = (at: string, name: string): string =>
  `${at}.${name.replace(/[^A-Za-z0-9_-]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)}`
export const entryAt = (at: string, index: number): string => `${at}.${index}`
export const otherAt = (at: string, index: number): string => `${at}.+${index}`
export const optionAt = (at: string): string => `${at}.of`

/** What stands in a field before somebody has filled it in: the required members, and what can be nothing else. */
export const initialState = (
  api: unknown,
  schema: Schema,
  isRequired = true,
  around: readonly unknown[] = [],
): State | undefined => {
  const field = fieldOf(api, schema, isRequired)
  const inside = [...around, schema['$ref']]
  const start = (inner: Schema) =>
    inside.includes(inner['$ref'] ?? ANYTHING) ? undefined : initialState(api, inner, true, inside)
  switch (field.kind) {
    case 'choice':
      return field.values.length === 1 ? { is: 'text', text: JSON.stringify(field.values[0]) } : undefined
    case 'list':
      return { is: 'list', entries: field.fewest > 0 ? [start(field.entry)] : [] }
    case 'object': {
      const required = field.members.filter((member) => member.isRequired)
      return {
        is: 'object',
        members: Object.fromEntries(required.map(({ name, schema: inner }) => [name, start(inner)])),
        others: [],
      }
    }
    default:
      return undefined
  }
}

type Read = { readonly state: State; readonly isExact: boolean }

/** The state that writes a value. What does not fit its field is written as JSON there. */
export const fromJson = (api: unknown, schema: Schema, value: Json, isRequired = true): State =>
  read(api, schema, isRequired, value).state

/** `isExact` says whether the value is as the schema wants it. */
const read = (api: unknown, schema: Schema, isRequired: boolean, value: Json): Read => {
  const field = fieldOf(api, schema, isRequired)
  return (
    readAs(api, field, value) ?? {
      state: { is: 'json', text: JSON.stringify(value, null, 2) },
      isExact: field.kind === 'json',
    }
  )
}

const readAs = (api: unknown, field: Field, value: Json): Read | undefined => {
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' ? plain(value) : undefined
    case 'number':
      return typeof value === 'number' && (!field.isWhole || Number.isSafeInteger(value))
        ? plain(String(value))
        : undefined
    case 'choice': {
      const text = JSON.stringify(value)
      return field.values.some((one) => JSON.stringify(one) === text) ? plain(text) : undefined
    }
    case 'list': {
      if (!isList(value)) return undefined
      const entries = value.map((entry) => read(api, field.entry, true, entry))
      return {
        state: { is: 'list', entries: entries.map(({ state }) => state) },
        isExact: entries.length >= field.fewest && entries.every(({ isExact }) => isExact),
      }
    }
    case 'object':
      return isMembers(value) ? readObject(api, field, value) : undefined
    case 'union': {
      const all = field.options.map((option) => read(api, option, true, value))
      const chosen = all.findIndex(({ isExact }) => isExact)
      const state = all[chosen]?.state
      return state === undefined ? undefined : { state: { is: 'union', chosen, state }, isExact: true }
    }
    default:
      return undefined
  }
}

const plain = (text: string): Read => ({ state: { is: 'text', text }, isExact: true })

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

const isMembers = (value: Json): value is { readonly [member: string]: Json } => isObject(value)

type ObjectField = Field & { readonly kind: 'object' }

const readObject = (api: unknown, { members, more }: ObjectField, value: { readonly [name: string]: Json }): Read => {
  const described = new Map(members.map((member): readonly [string, Member] => [member.name, member]))
  const all = Object.entries(value).map(([name, inner]) => {
    const member = described.get(name)
    const { state, isExact } = read(api, member?.schema ?? more ?? ANYTHING, member?.isRequired ?? true, inner)
    return { name, state, isDescribed: member !== undefined, isExact: isExact && (member ?? more) !== undefined }
  })
  const own = all.filter(({ isDescribed }) => isDescribed)
  return {
    state: {
      is: 'object',
      members: Object.fromEntries(own.map(({ name, state }) => [name, state])),
      others: all.filter(({ isDescribed }) => !isDescribed).map(({ name, state }) => ({ name, state })),
    },
    isExact:
      all.every(({ isExact }) => isExact) &&
      members.every((member) => !member.isRequired || Object.hasOwn(value, member.name)),
  }
}

/** What a state writes. With faults, `json` is only a draft: what is missing is left out of it, and what cannot be read is a text. */
export type Written = { readonly json: Json | undefined; readonly faults: readonly Fault[] }

export const toJson = (
  api: unknown,
  schema: Schema,
  state: State | undefined,
  isRequired = true,
  at = ROOT,
): Written => {
  if (state === undefined) return { json: undefined, faults: isRequired ? [{ at, reason: 'missing' }] : [] }
  const field = fieldOf(api, schema, isRequired)
  switch (state.is) {
    case 'json':
      return ofJsonText(state.text, at)
    case 'text':
      return ofText(field, state.text, at)
    case 'list': {
      const entry = field.kind === 'list' ? field.entry : ANYTHING
      const all = state.entries.map((inner, index) => toJson(api, entry, inner, true, entryAt(at, index)))
      const isFew = field.kind === 'list' && state.entries.length < field.fewest
      return {
        json: all.flatMap(({ json }) => (json === undefined ? [] : [json])),
        faults: [...(isFew ? [{ at, reason: 'few' as const }] : []), ...all.flatMap(({ faults }) => faults)],
      }
    }
    case 'object':
      return ofObject(api, field, state, at)
    default: {
      const option = field.kind === 'union' ? field.options[state.chosen] : undefined
      return toJson(api, option ?? ANYTHING, state.state, true, optionAt(at))
    }
  }
}

const ofJsonText = (text: string, at: string): Written => {
  if (text.trim() === '') return { json: undefined, faults: [{ at, reason: 'missing' }] }
  try {
    const json = JSON.parse(text) as Json // what JSON.parse gives
    return isTold(json) ? { json, faults: [] } : { json: text, faults: [{ at, reason: 'exact' }] }
  } catch {
    return { json: text, faults: [{ at, reason: 'json' }] }
  }
}

/** Whether all numbers are those that were written: a whole number with too many digits has lost some. */
const isTold = (json: Json): boolean => {
  if (typeof json === 'number') return Number.isFinite(json) && (!Number.isInteger(json) || Number.isSafeInteger(json))
  return typeof json !== 'object' || json === null || Object.values(json).every(isTold)
}

const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/

const ofText = (field: Field, text: string, at: string): Written => {
  if (field.kind === 'choice') return { json: JSON.parse(text) as Json, faults: [] } // one of the values, as JSON
  if (field.kind !== 'number') return { json: text, faults: [] }
  const number = NUMBER.test(text.trim()) ? Number(text) : Number.NaN
  if (!Number.isFinite(number)) return { json: text, faults: [{ at, reason: field.isWhole ? 'whole' : 'number' }] }
  if (field.isWhole && !Number.isInteger(number)) return { json: text, faults: [{ at, reason: 'whole' }] }
  return isTold(number) ? { json: number, faults: [] } : { json: text, faults: [{ at, reason: 'exact' }] }
}

const ofObject = (api: unknown, field: Field, { members, others }: ObjectState, at: string): Written => {
  const { members: described, more = ANYTHING } = field.kind === 'object' ? field : { members: [] }
  const own = described.map(({ name, schema, isRequired }) => {
    const state = Object.hasOwn(members, name) ? members[name] : undefined
    return { name, ...toJson(api, schema, state, isRequired, memberAt(at, name)) }
  })
  const taken = new Set(described.map(({ name }) => name))
  const rest = others.map(({ name, state }, index) => {
    const place = otherAt(at, index)
    const { json, faults } = toJson(api, more, state, true, place)
    const isNamed = name !== '' && !taken.has(name)
    taken.add(name)
    return { name, json, faults: isNamed ? faults : [{ at: `${place}.name`, reason: 'name' as const }, ...faults] }
  })
  const all = [...own, ...rest]
  return {
    json: Object.fromEntries(all.flatMap(({ name, json }) => (json === undefined ? [] : [[name, json]]))),
    faults: all.flatMap(({ faults }) => faults),
  }
}
