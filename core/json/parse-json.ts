import { encodeUtf8 } from '../bytes.ts'
import { E } from '../prelude.ts'
import { parseStrict } from './strict-json.ts'

/**
 * What `JSON.parse` should give. V8 of Node 24 (seen in 24.21.0) gives another value now and then: it takes a name that
 * begins with an escaped character, such as `"\"a"`, for another one, and two members can become one. What somebody has
 * chosen as the name of a member, and we have written, must be read as it was written.
 *
 * @throws SyntaxError where it is no JSON
 */
export const parseJson = (text: string): unknown => {
  if (!text.includes('"\\') || !ESCAPED_NAME.test(text)) return JSON.parse(text)
  const outcome = parseStrict(encodeUtf8(text), { depthMax: Infinity })
  return E.isRight(outcome) ? outcome.right : JSON.parse(text) // what one may not send, such as half a surrogate
}

/** A name that begins with an escaped character, or what looks like one. */
const ESCAPED_NAME = /[{,]\s*"\\/
