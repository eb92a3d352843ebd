import type { Json } from '../failure.ts'

/** What `merge` does: the object with members overwritten. A value that is not an object stays as it is. */
export const merged = (value: Json, members: { readonly [member: string]: Json }): Json =>
  isObject(value) ? { ...value, ...members } : value

/** As `merged`, for stores that keep values as JSON text. */
export const mergedText = (text: string, members: { readonly [member: string]: Json }): string =>
  JSON.stringify(merged(JSON.parse(text) as Json, members)) // the store's own text

const isObject = (value: Json): value is { readonly [member: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
