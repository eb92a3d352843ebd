/*
 * Bytes as text: hex, base64 and UTF-8. The core also runs without `Buffer`, so these functions are our own: they take one table lookup
 * per character. They return `undefined` for a text that they cannot read, and the caller makes the message.
 */

/** Lower-case hex, two digits a byte. */
export const encodeHex = (bytes: Uint8Array): string => {
  let text = ''
  for (let i = 0; i < bytes.length; i++) text += PAIRS[bytes[i] ?? 0]
  return text
}

/** Decodes hex digits, upper or lower case; `undefined` for an odd number of digits or any other character. */
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
 * Decodes base64 or base64url: either alphabet, padded or not, because clients differ. It refuses every other character, also white
 * space, padding of the wrong length, and bits that are set behind the last byte.
 */
export const decodeBase64 = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  const end = unpaddedLength(text)
  if (end === undefined || end % 4 === 1) return undefined
  const characters = encodeUtf8(text) // reading a byte takes half as long as reading a character
  const bytes = allocate(Math.floor((end * 3) / 4))
  let at = 0
  let seen = 0 // every value or-ed together: above 63 if one was NONE
  for (let i = 0; i < end; i += 4) {
    const a = base64Values[characters[i] ?? 0] ?? NONE
    const b = base64Values[characters[i + 1] ?? 0] ?? NONE
    const c = i + 2 < end ? (base64Values[characters[i + 2] ?? 0] ?? NONE) : 0
    const d = i + 3 < end ? (base64Values[characters[i + 3] ?? 0] ?? NONE) : 0
    seen |= a | b | c | d
    bytes[at++] = (a << 2) | (b >> 4)
    bytes[at++] = (b << 4) | (c >> 2) // behind the end of the bytes, a write has no effect
    bytes[at++] = (c << 6) | d
    if (i + 4 > end && ((i + 2 < end ? c << 6 : b << 4) & 0xff) !== 0) return undefined
  }
  return seen < 64 ? bytes : undefined
}

/** Like `decodeBase64`, for our own files: accepts only the form that `encodeBase64` writes, so that bytes have one spelling. */
export const decodeCanonicalBase64 = (text: string): Uint8Array<ArrayBuffer> | undefined =>
  text.length % 4 === 0 && !text.includes('-') && !text.includes('_') ? decodeBase64(text) : undefined

/** The text's UTF-8. A lone surrogate has none and becomes U+FFFD: refuse it before. */
export const encodeUtf8 = (text: string): Uint8Array<ArrayBuffer> => {
  if (text.length > SLICE_MAX / 3) return encoder.encode(text)
  const room = roomFor(3 * text.length) // at most three bytes for a UTF-16 unit
  const { written } = encoder.encodeInto(text, room)
  used += written
  return room.subarray(0, written)
}

/** Makes bytes to write to, with zeros. A small result is a view of a larger buffer, and keeps that buffer in memory. */
export const allocate = (length: number): Uint8Array<ArrayBuffer> => {
  if (length > SLICE_MAX) return new Uint8Array(length)
  const bytes = roomFor(length).subarray(0, length)
  used += length
  return bytes
}

/** The rest of the slab, or of a new one if it is too short. No byte of a slab is given out twice. */
const roomFor = (length: number): Uint8Array<ArrayBuffer> => {
  if (slab.length - used < length) {
    slab = new Uint8Array(SLAB)
    used = 0
  }
  return slab.subarray(used)
}

/** Decodes UTF-8, and keeps a byte order mark as U+FEFF; `undefined` for invalid UTF-8. */
export const decodeUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** The bytes of a text in which each character is one byte, like "latin1" of Node's Buffer. */
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

/** Whether `bytes` has the expected bytes at this place. */
export const stands = (expected: Uint8Array, bytes: Uint8Array, at = 0): boolean => {
  for (let i = 0; i < expected.length; i++) if (bytes[at + i] !== expected[i]) return false
  return true
}

/** Whether two byte strings are equal. Do not use it for secrets: its time depends on where they differ. */
export const equal = (a: Uint8Array, b: Uint8Array): boolean => {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

const NONE = 255

const encoder = new TextEncoder()

// Making an ArrayBuffer costs more than writing a few bytes, so short byte strings share one.
const SLAB = 65_536
const SLICE_MAX = SLAB / 4
let slab = new Uint8Array(SLAB)
let used = 0
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

// Base64 is written as bytes and decoded once: a text that is joined character by character is ten times as slow to use.
const HEX = encodeUtf8('0123456789abcdef')
/** The two hex digits of each byte: joining texts of two characters was measured to be the fastest way. */
const PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const BASE64 = encodeUtf8('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
const BASE64URL = encodeUtf8('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')

const tableOf = (...alphabets: readonly Uint8Array[]): Uint8Array => {
  const table = new Uint8Array(256).fill(NONE)
  for (const alphabet of alphabets) for (const [value, character] of alphabet.entries()) table[character] = value
  return table
}
const hexValues = tableOf(HEX, encodeUtf8('0123456789ABCDEF'))
const base64Values = tableOf(BASE64, BASE64URL)

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
