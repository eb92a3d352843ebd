import { encodeUtf8 } from '../bytes.ts'
import { failure, type Failure, type Json } from '../failure.ts'
import type { PartBytes } from '../log/event.ts'
import { isPartName, PARTS_MAX, REQUEST } from '../log/parts.ts'
import { E } from '../prelude.ts'
import type { Outcome } from './personal-members.ts'

/** The content of a part: bytes, or JSON, which is written as UTF-8. */
export type PartContent = Uint8Array | Json

/**
 * What `execute` returns. `parts`: data that may have to be erased one day, by name. The log keeps the bytes beside the event. The
 * event keeps the name and a salted hash for ever, so a name must not be personal. Do not put a secret into a part.
 */
export type Executed<R, C, P = PartContent> = {
  readonly result: R
  readonly change: C
  readonly parts?: { readonly [name: string]: P }
}

/** The outcome of `execute`, as the log writes it; and what the work brought. */
export type WrittenExecution = Executed<Json, Json, Uint8Array> & { readonly performed?: Json | undefined }

/**
 * Tells whether an operation declares a part of this name: the name, or its beginning up to the first dot, is in `declared`. Names with
 * a colon are the engine's own: no operation can declare one.
 *
 * @throws if `declared` has a name that no part may have (a bug of the host, found at the start)
 */
export const partsAmong = (type: string, declared: readonly string[] = []): ((name: string) => boolean) => {
  const wrong = declared.find((name) => name === REQUEST || /[.:]/.test(name) || !isPartName(name))
  if (wrong !== undefined) throw new Error(`${type} cannot have parts of the name ${wrong}`)
  const known = new Set(declared)
  return (name) => isPartName(name) && known.has(name.split('.', 1)[0] ?? '')
}

/**
 * Adds the parts of the host to an outcome, as copied bytes. The parts are checked here, because parts that a reader of logs refuses must not
 * enter a log.
 *
 * @param type  the type of the operation
 */
export const withParts = (
  type: string,
  mayHave: (name: string) => boolean,
  { outcome, parts: personal }: Taken,
  parts: { readonly [name: string]: PartContent } | undefined,
): E.Either<Failure, WrittenExecution> => {
  const written = parts === undefined ? NO_PARTS : writtenParts(type, mayHave, parts)
  if (E.isLeft(written)) return written
  const all = { ...written.right, ...personal }
  const count = Object.keys(all).length
  if (count > PARTS_MAX) return refused(type, `expected at most ${PARTS_MAX}`)
  return E.right(count === 0 && parts === undefined ? outcome : { ...outcome, parts: all })
}

/** An outcome without its personal members, and the parts that have them. */
type Taken = { readonly outcome: Outcome; readonly parts: PartBytes }

const NO_PARTS: E.Either<never, PartBytes> = E.right({})

const writtenParts = (
  type: string,
  mayHave: (name: string) => boolean,
  parts: { readonly [name: string]: PartContent },
): E.Either<Failure, PartBytes> => {
  const given = Object.entries(parts)
  const written: [string, Uint8Array][] = []
  for (const [name, content] of given) {
    if (!mayHave(name)) return refused(type, 'expected only those that the definition names')
    const bytes = bytesOf(content)
    if (bytes === undefined) return refused(type, 'expected bytes or JSON')
    written.push([name, bytes])
  }
  return E.right(Object.fromEntries(written))
}

// A copy, because the host may use its buffer again before the bytes are stored.
const bytesOf = (content: PartContent): Uint8Array | undefined => {
  if (content instanceof Uint8Array) return new Uint8Array(content)
  const text: string | undefined = JSON.stringify(content) // a host may give a value that is no JSON
  return text === undefined ? undefined : encodeUtf8(text)
}

const refused = (type: string, why: string): E.Either<Failure, never> =>
  E.left(failure('INTERNAL', `the parts of ${type} cannot be written: ${why}`))
