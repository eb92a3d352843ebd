import { decodeUtf8 } from '../bytes.ts'
import { failure, type Failure, type Json } from '../failure.ts'
import { E } from '../prelude.ts'
import type { Slices } from '../collections/slices.ts'
import { settled, StrictReader, type StrictJsonOptions } from './strict-reader.ts'

/**
 * The most values of a request. A megabyte has room for fewer ids. A megabyte of small values takes 150 ms to parse, and a request is
 * parsed again, in one piece, whenever its activity is loaded.
 */
export const requestJson = { valuesMax: 30_000 } as const satisfies StrictJsonOptions

/**
 * Parses JSON that has the same meaning for every parser. A stamp signs bytes, and the log stores and hashes bytes, so it refuses every
 * text that two parsers could read in different ways:
 *
 * - bytes that are not UTF-8 (overlong forms and surrogates too), and a byte order mark;
 * - everything outside the grammar of RFC 8259;
 * - an object with two members of the same name, escapes resolved;
 * - a member named `__proto__`, escapes resolved;
 * - an escaped surrogate without its other half, which UTF-8 cannot express;
 * - a number that is too large for a double: it would become infinity, which JSON does not have.
 *
 * @returns the value; else `REQUEST_INVALID`, or `REQUEST_TOO_LARGE` for too deep a nesting or too many values. The message has the
 *   offset in bytes and never the content.
 * @see https://www.rfc-editor.org/rfc/rfc8259
 */
export const parseStrict = (bytes: Uint8Array, options: StrictJsonOptions = {}): E.Either<Failure, Json> => {
  const { depthMax, valuesMax } = settled(options)
  const ahead = parsedAhead.get(bytes)
  if (ahead?.depthMax === depthMax && ahead.valuesMax === valuesMax) {
    parsedAhead.delete(bytes) // otherwise the value would stay in memory as long as its bytes, and it can be 40 times as large
    return ahead.outcome
  }
  const text = decodeUtf8(bytes)
  if (text === undefined) return E.left(notUtf8)
  const reader = new StrictReader(bytes, text, options)
  reader.read()
  return outcomeOf(reader)
}

/**
 * Parses a long text in slices, so that the process can do other work between them. The next `parseStrict` of the same bytes with the
 * same options returns the outcome at once. A text of up to 32 KiB is left to `parseStrict`, which takes some milliseconds for it.
 *
 * @param bytes  must not change until they are parsed
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

/** Outcomes of texts that were parsed ahead, and that no `parseStrict` has taken yet. */
const parsedAhead = new WeakMap<Uint8Array, Ahead>()

/** A text of up to this many bytes is parsed in one piece: the worst one takes about 10 ms. */
const LONG = 32 * 1024
/** The bytes of one slice: in the worst text they take about 2 ms. */
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
