import { escapedLine } from '../../inbox/escape.ts'
import { operationOf } from '../../inbox/words.ts'
import { wordsOf } from './request/schema-form.ts'

/** The operation of a type as people say it, such as `Create user tag`. */
export const operationWords = (type: string): string =>
  shortLine(wordsOf(operationOf(type.slice(0, NAME_MAX)).replace(/_v\d+$/, '')))

const NAME_MAX = 120

/** One line of a text of somebody else: escaped, and not longer than `max` UTF-16 units, escapes included. */
export const shortLine = (text: string, max = NAME_MAX): string => {
  const line = escapedLine(text.slice(0, max + 1))
  return line.length > max ? `${line.slice(0, max - 1).replace(BROKEN_OFF, '')}…` : line
}

/** An escape, or a pair of surrogates, that a cut has left without its end. */
const BROKEN_OFF = /\\(?:u[0-9a-f]{0,3})?$|[\ud800-\udbff]$/
