import { hasMoreBrackets } from '../json/written-json.ts'

/** Nesting that no event comes near, and that every recursive function survives. */
export const DEPTH_MAX = 100

/**
 * Whether there are enough brackets in the text for a nesting of more than `DEPTH_MAX`: nearly every line has few.
 *
 * @param around  how many stand around the text
 */
export const mayBeDeep = (text: string, around = 0): boolean => hasMoreBrackets(text, DEPTH_MAX - around)

export const isDeeperThan = (depth: number, value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false
  if (depth === 0) return true
  for (const member of Object.values(value)) if (isDeeperThan(depth - 1, member)) return true
  return false
}
