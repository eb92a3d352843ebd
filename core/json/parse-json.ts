import { decodeUtf8, encodeUtf8 } from '../bytes.ts'
import { StrictReader } from './strict-reader.ts'

/**
 * Like `JSON.parse`, without a bug of V8 in Node 24 (seen in 24.21.0): now and then it takes a name that begins with an escaped
 * character, such as `"\"a"`, for another name, so that two members can become one. Callers can choose names of members, and we must
 * read them as we have written them.
 *
 * @throws SyntaxError if the text is no JSON
 */
export const parseJson = (text: string): unknown => {
  if (!text.includes('"\\') || !ESCAPED_NAME.test(text)) return JSON.parse(text)
  // The reader itself and not `parseStrict`: the worker of a store needs this, and starts faster without codecs and fp-ts.
  const bytes = encodeUtf8(text)
  const reader = new StrictReader(bytes, decodeUtf8(bytes) ?? text, { depthMax: Infinity })
  reader.read()
  return reader.expected === '' ? reader.value : JSON.parse(text) // a text that only the strict reader refuses, such as half a surrogate
}

/** Finds a name that begins with an escaped character; it also finds some other texts. */
const ESCAPED_NAME = /[{,]\s*"\\/
