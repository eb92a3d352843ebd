/*
 * Bytes and their spellings in text. The core runs where there is no Buffer, so these are ours: one table lookup per
 * character. What cannot be read is `undefined`: the caller knows what the text was meant to be, and says so.
 */

/** Lower-case hex, two digits a byte. */
export const encodeHex = (bytes: Uint8Array): string => {
  let text = ''
  for (let i = 0; i < bytes.length; i++) text += PAIRS[bytes[i] ?? 0]
  return text
}

/** The bytes that hex digits of either case spell; `undefined` for an odd number of digits or any other character. */
export const decodeHex = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  if (text.length % 2 !== 0) return undefined
  const bytes = allocate(text.length / 2)
  let seen = 0 // every value or-ed together: above 15 if one was NONE
  for (let i = 0; i < bytes.length; i++) {
    const high = valueOf(hexValues, text, 2 * i)
    const low = valueOf(hexValues, text, 2 * i + 1)
    seen |= high | low
    bytes[i] = (high << 4) | low
  }
  return seen < 16 ? bytes : undefined
}

/** Base64 of RFC 4648 section 4, padded. */
export const encodeBase64 = (bytes: Uint8Array): string => {
  const text = spell(bytes, BASE64)
  return text + '='.repeat((4 - (text.length % 4)) % 4)
}

/** Base64url of RFC 4648 section 5, without padding. */
export const encodeBase64Url = (bytes: Uint8Array): string => spell(bytes, BASE64URL)

/**
 * The bytes that base64 or base64url spells: either alphabet, padded or not, because clients differ. It refuses every
 * other character, white space too, padding of the wrong length, and bits set behind the last byte.
 */
export const decodeBase64 = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  const end = unpaddedLength(text)
  if (end === undefined || end % 4 === 1) return undefined
  const bytes = allocate(Math.floor((end * 3) / 4))
  let at = 0
  let seen = 0 // every value or-ed together: above 63 if one was NONE
  for (let i = 0; i < end; i += 4) {
    const a = valueOf(base64Values, text, i)
    const b = valueOf(base64Values, text, i + 1)
    const c = i + 2 < end ? valueOf(base64Values, text, i + 2) : 0
    const d = i + 3 < end ? valueOf(base64Values, text, i + 3) : 0
    seen |= a | b | c | d
    bytes[at++] = (a << 2) | (b >> 4)
    bytes[at++] = (b << 4) | (c >> 2) // behind the end of the bytes, a write has no effect
    bytes[at++] = (c << 6) | d
    if (i + 4 > end && ((i + 2 < end ? c << 6 : b << 4) & 0xff) !== 0) return undefined
  }
  return seen < 64 ? bytes : undefined
}

/** Like `decodeBase64`, for our own files: accepts only what `encodeBase64` writes, so that bytes have one spelling. */
export const decodeCanonicalBase64 = (text: string): Uint8Array<ArrayBuffer> | undefined =>
  text.length % 4 === 0 && !text.includes('-') && !text.includes('_') ? decodeBase64(text) : undefined

/**
 * Like `decodeCanonicalBase64`, for characters that have not become text: those from `start` to `end`, as ASCII.
 *
 * @param into  as long as what they spell; what is in it where they do not spell that is nothing
 * @returns whether they do
 */
export const readBase64 = (characters: Uint8Array, start: number, end: number, into: Uint8Array): boolean => {
  const padding = (3 - (into.length % 3)) % 3
  if (((end - start) * 3) / 4 !== into.length + padding) return false
  let at = 0
  let seen = 0 // every value or-ed together: above 63 if one was NONE
  let from = start
  for (; at + 2 < into.length; from += 4) {
    const a = canonicalValues[characters[from] ?? 0] ?? NONE
    const b = canonicalValues[characters[from + 1] ?? 0] ?? NONE
    const c = canonicalValues[characters[from + 2] ?? 0] ?? NONE
    const d = canonicalValues[characters[from + 3] ?? 0] ?? NONE
    seen |= a | b | c | d
    into[at++] = (a << 2) | (b >> 4)
    into[at++] = (b << 4) | (c >> 2)
    into[at++] = (c << 6) | d
  }
  if (seen > 63) return false
  if (padding === 0) return true
  const last = decodeCanonicalBase64(String.fromCharCode(...characters.subarray(from, end)))
  if (last?.length !== 3 - padding) return false
  into.set(last, at)
  return true
}

/** The text's UTF-8. A lone surrogate has none and becomes U+FFFD: refuse it before. */
export const encodeUtf8 = (text: string): Uint8Array<ArrayBuffer> => {
  if (text.length > SLICE_MAX / 3) return encoder.encode(text)
  const room = roomFor(3 * text.length) // at most three bytes for a UTF-16 unit
  const { written } = encoder.encodeInto(text, room)
  used += written
  return room.subarray(0, written)
}

/** Bytes to be written to: zeros at first. What is small is a view of a larger buffer, which it keeps in memory. */
export const allocate = (length: number): Uint8Array<ArrayBuffer> => {
  if (length > SLICE_MAX) return new Uint8Array(length)
  const bytes = roomFor(length).subarray(0, length)
  used += length
  return bytes
}

/** The rest of the slab, or of a new one where it is too short. Nothing of a slab is given out twice. */
const roomFor = (length: number): Uint8Array<ArrayBuffer> => {
  if (slab.length - used < length) {
    slab = new Uint8Array(SLAB)
    used = 0
  }
  return slab.subarray(used)
}

/** The text that is spelled in valid UTF-8, a byte order mark kept as U+FEFF; else `undefined`. */
export const decodeUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** The bytes of a text of which each character stands for one byte, as "latin1" of Node's Buffer. */
export const decodeLatin1 = (text: string): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}

export const concat = (parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  let length = 0
  for (const part of parts) length += part.length
  const whole = allocate(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Whether the expected bytes stand in others, at this place. */
export const stands = (expected: Uint8Array, bytes: Uint8Array, at = 0): boolean => {
  for (let i = 0; i < expected.length; i++) if (bytes[at + i] !== expected[i]) return false
  return true
}

/** Whether two byte strings are the same. Its time depends on where they differ: not for secrets. */
export const equal = (a: Uint8Array, b: Uint8Array): boolean => {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

const NONE = 255

const encoder = new TextEncoder()

// An ArrayBuffer costs more than most of what is written to it: short bytes share one.
const SLAB = 65_536
const SLICE_MAX = SLAB / 4
let slab = new Uint8Array(SLAB)
let used = 0
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

// Text is written as bytes and decoded once: joined character by character it would be a rope, ten times as slow to use.
const HEX = encodeUtf8('0123456789abcdef')
/** Both digits of each byte: adding texts of two characters is the fastest way to many. */
const PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const BASE64 = encodeUtf8('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
const BASE64URL = encodeUtf8('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')

const tableOf = (...alphabets: readonly Uint8Array[]): Uint8Array => {
  const table = new Uint8Array(128).fill(NONE)
  for (const alphabet of alphabets) for (const [value, character] of alphabet.entries()) table[character] = value
  return table
}
const hexValues = tableOf(HEX, encodeUtf8('0123456789ABCDEF'))
const base64Values = tableOf(BASE64, BASE64URL)
/** By byte: no character of the other alphabet. */
const canonicalValues = new Uint8Array(256).fill(NONE)
canonicalValues.set(tableOf(BASE64))

const valueOf = (table: Uint8Array, text: string, at: number): number => table[text.charCodeAt(at)] ?? NONE

const unpaddedLength = (text: string): number | undefined => {
  if (!text.endsWith('=')) return text.length
  if (text.length % 4 !== 0) return undefined
  return text.endsWith('==') ? text.length - 2 : text.length - 1
}

const spell = (bytes: Uint8Array, alphabet: Uint8Array): string => {
  const characters = new Uint8Array(Math.ceil((bytes.length * 4) / 3))
  let at = 0
  for (let i = 0; i < bytes.length; i += 3) {
    const three = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0)
    // The last group may write behind the end, where a write has no effect.
    for (let shift = 18; shift >= 0; shift -= 6) characters[at++] = alphabet[(three >> shift) & 63] ?? NONE
  }
  return decoder.decode(characters)
}
