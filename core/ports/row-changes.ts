import type { Json } from '../failure.ts'
import { parseJson } from '../json/parse-json.ts'
import type { RowChange } from './read-models.ts'

/** The function of `merge`: overwrites members of an object. A value that is not an object stays as it is. */
export const merged = (value: Json, members: { readonly [member: string]: Json }): Json =>
  isRecord(value) && !Array.isArray(value) ? { ...value, ...members } : value

/** Like `merged`, for stores that keep values as JSON text. */
export const mergedText = (text: string, members: { readonly [member: string]: Json }): string =>
  JSON.stringify(merged(parseJson(text) as Json, members)) // the store's own text

/**
 * Checks that a projection of a host returned changes that every store can keep: a change that a store cannot keep would block the
 * rows of all organizations.
 *
 * @throws TypeError for any other value, as if the projection had thrown itself
 */
export const rowChanges = (given: readonly RowChange[]): readonly RowChange[] => {
  const changes: unknown = given
  if (changes instanceof Promise) changes.catch(() => undefined) // nobody waits for it
  if (!Array.isArray(changes)) throw new TypeError('a projection gave what is no list of changes')
  for (const change of changes) if (!isRowChange(change)) throw new TypeError('a projection gave what is no change')
  return given
}

const isRowChange = (change: unknown): boolean => {
  if (!isRecord(change) || typeof change.organization !== 'string' || typeof change.key !== 'string') return false
  switch (change._tag) {
    case 'put':
      return isOrder(change.order) && isFacets(change.facets) && isWritable(change.value)
    case 'merge':
      return isFacets(change.facets) && isRecord(change.value) && isWritable(change.value)
    case 'delete':
      return true
    default:
      return false
  }
}

const isRecord = (value: unknown): value is { readonly [member: string]: unknown } =>
  typeof value === 'object' && value !== null

const INT64_MAX = 2n ** 63n - 1n
const isOrder = (order: unknown): boolean => typeof order === 'bigint' && order <= INT64_MAX && order >= -INT64_MAX

const isFacets = (facets: unknown): boolean =>
  isRecord(facets) && [facets.first, facets.second].every((facet) => facet === undefined || typeof facet === 'string')

/** Whether the value has a form in JSON. The first, quick check finds nearly all of them. */
const isWritable = (value: unknown): boolean => {
  if (isPlain(value, PLAIN_DEPTH)) return true
  try {
    return JSON.stringify(value) !== undefined
  } catch {
    return false // it contains itself, or a bigint
  }
}

const PLAIN_DEPTH = 8

const isPlain = (value: unknown, depth: number): boolean => {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value === 'object' && depth > 0 && Object.values(value).every((member) => isPlain(member, depth - 1))
}
