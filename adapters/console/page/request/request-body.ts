import type { Json } from '../../../../core/failure.ts'

/** What cannot be seen in a text, or changes its direction. The line feeds of the layout are not in a string. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/**
 * The body of a request: the text that is shown, stamped and sent. Invisible characters are escaped, so that what is seen is all that is
 * there.
 */
export const requestBody = (request: {
  readonly type: string
  readonly timestampMs: number
  readonly organizationId: string
  readonly parameters: Json
}): string => {
  const { type, timestampMs, organizationId, parameters } = request
  const text = JSON.stringify({ type, timestampMs: String(timestampMs), organizationId, parameters }, null, 2)
  return text.replace(UNSEEN, (character) => (character === '\n' ? character : escaped(character)))
}

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')
