import { isObject } from '../codec/codec.ts'
import type { ErasedReads } from '../audit/erased-reads.ts'
import { Instant } from '../policy/instant.ts'

/** What stands in place of a value that was erased. */
export const ERASED = 'erased'

/**
 * A value as the language would write it, cut where it is long. What was erased is said to be: reading it gives a value that stands for one
 * that nobody knows any more.
 */
export const worthOf = (value: unknown, reads: ErasedReads): string => cut(written(value, reads, 0), TEXT_MAX)

/** A text of the state, or that it was erased. */
export const knownText = (reads: ErasedReads, read: () => string): string => {
  const before = reads.count
  const text = read()
  return reads.count === before ? text : ERASED
}

const TEXT_MAX = 240
const STRING_MAX = 80
const ITEMS_MAX = 6
const DEPTH_MAX = 3

const written = (value: unknown, reads: ErasedReads, depth: number): string => {
  if (typeof value === 'string') return `'${cut(value, STRING_MAX)}'`
  if (value instanceof Instant) return `Timestamp('${new Date(value.ms).toISOString()}')`
  if (Array.isArray(value)) {
    if (depth >= DEPTH_MAX) return '[…]'
    const items = value.slice(0, ITEMS_MAX).map((item) => written(item, reads, depth + 1))
    const more = value.length > ITEMS_MAX ? [`… ${value.length} in all`] : []
    return `[${[...items, ...more].join(', ')}]`
  }
  if (isObject(value)) {
    if (depth >= DEPTH_MAX) return '{…}'
    const members = Object.keys(value).map((name) => `${name}: ${memberText(value, name, reads, depth)}`)
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
  }
  return String(value)
}

const memberText = (of: object, name: string, reads: ErasedReads, depth: number): string =>
  knownText(reads, () => written(Reflect.get(of, name), reads, depth + 1))

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text)
