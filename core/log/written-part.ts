import { decodeUtf8, encodeUtf8, readBase64, stands } from '../bytes.ts'
import type { Part } from '../ports/event-store.ts'

/**
 * Reads the line of a part that stands letter by letter as `encodePartLine` writes it, from its bytes: most of an export
 * is base64, which need not become text first.
 *
 * Salt and bytes lie behind each other in one buffer, as they are hashed.
 *
 * @returns `undefined` for every line of which this does not see that at once. That says nothing of the line
 */
export const readWrittenPart = (line: Uint8Array): { readonly of: string; readonly part: Part } | undefined => {
  const nameEnd = plainEnd(line, PART.length)
  if (!stands(PART, line) || !stands(OF, line, nameEnd)) return undefined
  const ofEnd = plainEnd(line, nameEnd + OF.length)
  if (!stands(SALT, line, ofEnd)) return undefined
  const saltStart = ofEnd + SALT.length
  const saltEnd = line.indexOf(QUOTE, saltStart)
  if (saltEnd < 0 || !stands(BYTES, line, saltEnd)) return undefined
  const bytesStart = saltEnd + BYTES.length
  const bytesEnd = line.length - END.length
  if (bytesEnd < bytesStart || !stands(END, line, bytesEnd)) return undefined
  const saltLength = decodedLength(line, saltStart, saltEnd)
  const salted = new Uint8Array(saltLength + decodedLength(line, bytesStart, bytesEnd))
  const salt = salted.subarray(0, saltLength)
  const bytes = salted.subarray(saltLength)
  if (!readBase64(line, saltStart, saltEnd, salt) || !readBase64(line, bytesStart, bytesEnd, bytes)) return undefined
  const name = decodeUtf8(line.subarray(PART.length, nameEnd))
  const of = decodeUtf8(line.subarray(nameEnd + OF.length, ofEnd))
  return name === undefined || of === undefined ? undefined : { of, part: { name, salt, bytes } }
}

const PART = encodeUtf8('{"part":"')
const OF = encodeUtf8('","of":"')
const SALT = encodeUtf8('","salt":"')
const BYTES = encodeUtf8('","bytes":"')
const END = encodeUtf8('"}')
const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACE = 0x20
const DELETE = 0x7f
const EQUALS = 0x3d

/** Where the ASCII ends that JSON writes as it is. */
const plainEnd = (line: Uint8Array, start: number): number => {
  let at = start
  for (let byte = line[at] ?? QUOTE; isPlain(byte); byte = line[at] ?? QUOTE) at += 1
  return at
}

const isPlain = (byte: number): boolean => byte >= SPACE && byte < DELETE && byte !== QUOTE && byte !== BACKSLASH

/** How many bytes the base64 spells, if it is base64. */
const decodedLength = (line: Uint8Array, start: number, end: number): number => {
  const padding = end > start && line[end - 1] === EQUALS ? (line[end - 2] === EQUALS ? 2 : 1) : 0
  return Math.max(0, ((end - start) >> 2) * 3 - padding)
}
