import type { Json } from '../failure.ts'

/**
 * What `merge` does, for stores that keep values as JSON text: the object in `text` with members overwritten. A value
 * that is not an object stays as it is.
 */
export const mergedText = (text: string, members: { readonly [member: string]: Json }): string => {
  const value = JSON.parse(text) as Json // the store's own text
  return isObject(value) ? JSON.stringify({ ...value, ...members }) : text
}

const isObject = (value: Json): value is { readonly [member: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
