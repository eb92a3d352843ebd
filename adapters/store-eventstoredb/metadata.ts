import type { Standing } from '../../core/ports/event-store.ts'

/** What stands beside a line: who it belongs to, and the names of its parts. */
export type EventMetadata = {
  readonly activity: string
  readonly revision: bigint
  /** The event id; empty if the event's UUID is the id. */
  readonly id: string
  readonly parts: readonly PartName[]
  readonly standing?: Standing | undefined
}

/** The name of a part, and how many events its stream has. */
export type PartName = { readonly name: string; readonly chunks: number }

/** No JSON begins with this byte, and no text in UTF-8: else a client or the server's own tools would parse it. */
const VERSION_1 = 0xf9

const NONE = 0
const STATUS = 1
const TYPE_AND_STATUS = 2

/** Binary: the version, then numbers as varints (base 128, the lowest digits first), and texts as their length and their UTF-8. */
export const encodeMetadata = ({ activity, revision, id, parts, standing }: EventMetadata): Uint8Array => {
  const out: Buffer[] = [Buffer.of(VERSION_1)]
  const number = (value: bigint | number): void => void out.push(varint(BigInt(value)))
  const text = (value: string): void => {
    const bytes = Buffer.from(value, 'utf8')
    number(bytes.length)
    out.push(bytes)
  }
  text(activity)
  number(revision)
  text(id)
  number(parts.length)
  for (const { name, chunks } of parts) {
    text(name)
    number(chunks)
  }
  number(standing === undefined ? NONE : standing.type === undefined ? STATUS : TYPE_AND_STATUS)
  if (standing?.type !== undefined) text(standing.type)
  if (standing !== undefined) text(standing.status)
  return Buffer.concat(out)
}

/** `undefined` for bytes that `encodeMetadata` does not write. */
export const decodeMetadata = (bytes: Uint8Array): EventMetadata | undefined => {
  if (bytes[0] !== VERSION_1) return undefined
  const given = cursor(bytes)
  try {
    const activity = given.text()
    const revision = given.number()
    const id = given.text()
    const parts = Array.from({ length: given.count() }, () => ({ name: given.text(), chunks: given.count() }))
    const form = given.count()
    if (form > TYPE_AND_STATUS) return undefined
    const type = form === TYPE_AND_STATUS ? given.text() : undefined
    const standing = form === NONE ? undefined : { ...(type === undefined ? {} : { type }), status: given.text() }
    if (!given.isAtEnd() || activity === '' || revision === 0n) return undefined
    return { activity, revision, id, parts, ...(standing === undefined ? {} : { standing }) }
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

/** Bytes end in the middle of a value, or are none of its forms. */
class Unreadable extends Error {}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const cursor = (bytes: Uint8Array) => {
  let at = 1

  const number = (): bigint => {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at++]
      if (byte === undefined) throw new Unreadable()
      value |= BigInt(byte & 0x7f) << shift
      if (byte > 0x7f) continue
      if ((byte === 0 && shift > 0n) || value >= 2n ** 63n) throw new Unreadable() // one number has one spelling
      return value
    }
    throw new Unreadable()
  }
  /** A length or a count: no more than there are bytes, so that no list is made that is longer than what was given. */
  const count = (): number => {
    const value = number()
    if (value > BigInt(bytes.length)) throw new Unreadable()
    return Number(value)
  }
  const text = (): string => {
    const length = count()
    const slice = bytes.subarray(at, at + length)
    if (slice.length < length) throw new Unreadable()
    at += length
    try {
      return utf8.decode(slice)
    } catch {
      throw new Unreadable()
    }
  }
  return { number, count, text, isAtEnd: () => at === bytes.length }
}

const varint = (value: bigint): Buffer => {
  const digits: number[] = []
  let rest = value
  do {
    const digit = Number(rest & 0x7fn)
    rest >>= 7n
    digits.push(rest > 0n ? digit | 0x80 : digit)
  } while (rest > 0n)
  return Buffer.from(digits)
}
