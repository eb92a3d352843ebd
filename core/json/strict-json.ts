import { decodeUtf8 } from '../bytes.ts'
import { failure, type Failure, type Json } from '../failure.ts'
import { E } from '../prelude.ts'
import type { Slices } from '../slices.ts'
import { settled, StrictReader, type StrictJsonOptions } from './strict-reader.ts'
import { writtenValue } from './written-json.ts'

/**
 * How many values a request may have: more than there are ids in a megabyte. A megabyte of small values takes 150 ms to
 * make, and a request is read again, at once, whenever its activity is needed.
 */
export const requestJson = { valuesMax: 30_000 } as const satisfies StrictJsonOptions

/**
 * Parses JSON that everyone who reads it understands alike. What was signed, and what is stored and hashed, are bytes;
 * so it refuses all in which two parsers could differ:
 *
 * - bytes that are not UTF-8 (overlong forms and surrogates too), and a byte order mark;
 * - everything outside the grammar of RFC 8259;
 * - an object with two members of the same name, escapes resolved;
 * - a member named `__proto__`, escapes resolved;
 * - an escaped surrogate without its other half, which no UTF-8 can carry on;
 * - a number too large for a double: it would become infinity, which is no JSON.
 *
 * @returns the value; else `REQUEST_INVALID`, or `REQUEST_TOO_LARGE` for too deep a nesting or too many values. The message
 *   tells the offset in bytes and never the content.
 * @see https://www.rfc-editor.org/rfc/rfc8259
 */
export const parseStrict = (bytes: Uint8Array, options: StrictJsonOptions = {}): E.Either<Failure, Json> => {
  const { depthMax, valuesMax } = settled(options)
  const ahead = parsedAhead.get(bytes)
  if (ahead?.depthMax === depthMax && ahead.valuesMax === valuesMax) {
    parsedAhead.delete(bytes) // else the value would stay in memory as long as its bytes, and it can be 40 times as large
    return ahead.outcome
  }
  const text = decodeUtf8(bytes)
  if (text === undefined) return E.left(notUtf8)
  const isShort = bytes.length <= LONG && bytes.length / 2 <= valuesMax // a value and its comma
  const written = isShort ? writtenValue(text, depthMax) : undefined
  if (written !== undefined) return E.right(written)
  const reader = new StrictReader(bytes, text, options)
  reader.read()
  return outcomeOf(reader)
}

/**
 * Parses a long text a slice at a time, so that the process can do other work meanwhile. The next `parseStrict` of the same
 * bytes with the same options returns the outcome at once. A text of up to 32 KiB is left to `parseStrict`, which needs some
 * milliseconds for it.
 *
 * @param bytes  they must not change until they are parsed
 */
export const parseAhead = async (bytes: Uint8Array, slices: Slices, options: StrictJsonOptions = {}): Promise<void> => {
  if (bytes.length <= LONG) return
  const text = decodeUtf8(bytes)
  if (text === undefined) return
  const reader = new StrictReader(bytes, text, options)
  await slices(() => reader.read(reader.at + SLICE) !== 'paused')
  parsedAhead.set(bytes, { ...settled(options), outcome: outcomeOf(reader) })
}

type Ahead = Required<StrictJsonOptions> & { readonly outcome: E.Either<Failure, Json> }

/** What was parsed ahead and not asked for yet. */
const parsedAhead = new WeakMap<Uint8Array, Ahead>()

/** Up to here a text is parsed at once: the worst of this length takes about 10 ms. */
const LONG = 32 * 1024
/** So many bytes of the worst text take about 2 ms. */
const SLICE = 16 * 1024

const outcomeOf = ({ at, expected, isTooLarge, value }: StrictReader): E.Either<Failure, Json> =>
  expected === ''
    ? E.right(value)
    : E.left(
        failure(
          isTooLarge ? 'REQUEST_TOO_LARGE' : 'REQUEST_INVALID',
          `invalid JSON at offset ${at}: expected ${expected}`,
        ),
      )

const notUtf8 = failure('REQUEST_INVALID', 'invalid JSON: expected UTF-8')
