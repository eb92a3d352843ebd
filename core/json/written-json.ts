import type { Json } from '../failure.ts'

/**
 * Reads a text that is what `JSON.stringify` makes of it, as most bodies are: such a text has no second member of a name,
 * no number that a double cannot hold, and no byte order mark. `undefined` for every other: that says nothing of it.
 */
export const writtenValue = (text: string, depthMax: number): Json | undefined => {
  if (text.includes('\\u') || text.includes('__proto__') || hasMoreBrackets(text, depthMax)) return undefined
  try {
    const value = JSON.parse(text) as Json // what JSON.parse gives
    return JSON.stringify(value) === text ? value : undefined
  } catch {
    return undefined
  }
}

/** Whether the text has more opening brackets than that: else nothing in it is nested more deeply. */
export const hasMoreBrackets = (text: string, max: number): boolean => {
  let count = 0
  for (const bracket of '{[') {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) if (++count > max) return true
  }
  return false
}
