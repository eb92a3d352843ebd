import { decodeUtf8 } from '../bytes.ts'
import { failure, type Failure, type Json } from '../failure.ts'
import { E } from '../prelude.ts'
import { writtenValue } from './written-json.ts'

/** Nesting that no request of the API comes near, and that every recursive function of ours survives. */
export const DEPTH_MAX = 32

export type StrictJsonOptions = {
  /** How many arrays and objects may stand inside each other. Keep it below 1,000: the scanner recurses. */
  readonly depthMax?: number
}

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
 * @returns the value; else `REQUEST_INVALID`, or `REQUEST_TOO_LARGE` for too deep a nesting. The message tells the offset
 *   in bytes and never the content.
 * @see https://www.rfc-editor.org/rfc/rfc8259
 */
export const parseStrict = (bytes: Uint8Array, options: StrictJsonOptions = {}): E.Either<Failure, Json> => {
  const text = decodeUtf8(bytes)
  if (text === undefined) return E.left(failure('REQUEST_INVALID', 'invalid JSON: expected UTF-8'))
  const depthMax = options.depthMax ?? DEPTH_MAX
  const written = writtenValue(text, depthMax)
  if (written !== undefined) return E.right(written)
  const scanner = new Scanner(bytes, text, depthMax)
  if (!scanner.scan()) return E.left(refusal(scanner))
  return E.right(JSON.parse(text) as Json) // what the scanner accepts, JSON.parse does: the grammar is the same
}

const refusal = ({ at, expected, tooDeep }: Scanner): Failure =>
  failure(tooDeep ? 'REQUEST_TOO_LARGE' : 'REQUEST_INVALID', `invalid JSON at offset ${at}: expected ${expected}`)

const END = 0x00 // stands for the end of the bytes: no production begins or goes on with it
const TAB = 0x09
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const SPACE = 0x20
const QUOTE = 0x22
const PLUS = 0x2b
const COMMA = 0x2c
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const LOWER_E = 0x65
const LOWER_F = 0x66
const LOWER_N = 0x6e
const LOWER_T = 0x74
const LOWER_U = 0x75
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/**
 * Walks over the bytes once, without building anything but the names of the objects it is in. Each method reads one
 * production from `at` on and leaves `at` behind it; or says false, with `at` at the offence and `expected` filled.
 * It reads bytes because that is three times as fast as reading characters; above ASCII, the decoder has checked them.
 */
class Scanner {
  at = 0
  expected = ''
  tooDeep = false
  private readonly bytes: Uint8Array
  private readonly asciiText: string | undefined
  private readonly depthMax: number
  private depth = 0
  private hasEscape = false // whether the last string had one

  constructor(bytes: Uint8Array, text: string, depthMax: number) {
    this.bytes = bytes
    this.asciiText = text.length === bytes.length ? text : undefined
    this.depthMax = depthMax
  }

  scan(): boolean {
    if (BYTE_ORDER_MARK.every((byte, i) => this.bytes[i] === byte)) return this.refuse('no byte order mark')
    this.space()
    if (!this.value()) return false
    this.space()
    return this.at === this.bytes.length || this.refuse('the end')
  }

  private value(): boolean {
    switch (this.peek()) {
      case QUOTE:
        return this.string()
      case OPEN_BRACE:
        return this.enter() && this.object() && this.leave()
      case OPEN_BRACKET:
        return this.enter() && this.array() && this.leave()
      case LOWER_T:
        return this.literal('true')
      case LOWER_F:
        return this.literal('false')
      case LOWER_N:
        return this.literal('null')
      default:
        return this.number()
    }
  }

  private enter(): boolean {
    if (this.depth === this.depthMax) {
      this.tooDeep = true
      return this.refuse(`a nesting of at most ${this.depthMax}`)
    }
    this.depth += 1
    this.at += 1
    this.space()
    return true
  }

  private leave(): true {
    this.depth -= 1
    return true
  }

  private object(): boolean {
    if (this.skip(CLOSE_BRACE)) return true
    const names = new Set<string>()
    for (;;) {
      if (!this.name(names)) return false
      this.space()
      if (!this.skip(COLON)) return this.refuse('a colon')
      this.space()
      if (!this.value()) return false
      this.space()
      if (this.skip(CLOSE_BRACE)) return true
      if (!this.skip(COMMA)) return this.refuse('a comma or the end of the object')
      this.space()
    }
  }

  private name(names: Set<string>): boolean {
    const start = this.at
    if (this.peek() !== QUOTE) return this.refuse('a name in quotes')
    if (!this.string()) return false
    const name = this.hasEscape
      ? String(JSON.parse(this.textFrom(start))) // a JSON string, by the line above
      : this.textFrom(start).slice(1, -1)
    if (name === '__proto__') return this.refuse('no member of that name', start)
    if (names.has(name)) return this.refuse('no second member of the same name', start)
    names.add(name)
    return true
  }

  private array(): boolean {
    if (this.skip(CLOSE_BRACKET)) return true
    for (;;) {
      if (!this.value()) return false
      this.space()
      if (this.skip(CLOSE_BRACKET)) return true
      if (!this.skip(COMMA)) return this.refuse('a comma or the end of the array')
      this.space()
    }
  }

  private string(): boolean {
    this.hasEscape = false
    for (;;) {
      this.at = this.endOfPlain(this.at + 1)
      const byte = this.peek()
      if (byte === QUOTE) break
      if (byte !== BACKSLASH) return this.refuse('a character of a string')
      if (!this.escape()) return false
    }
    this.at += 1
    return true
  }

  /** Where the characters end that stand for themselves: most of a body is such. */
  private endOfPlain(start: number): number {
    const { bytes } = this
    for (let at = start; at < bytes.length; at++) {
      const byte = bytes[at] ?? END
      if (byte < SPACE || byte === QUOTE || byte === BACKSLASH) return at
    }
    return bytes.length
  }

  /** Reads an escape, and leaves `at` on its last character. */
  private escape(): boolean {
    this.hasEscape = true
    const escaped = this.bytes[this.at + 1] ?? END
    if (escaped !== LOWER_U) {
      if (!ESCAPABLE.includes(String.fromCharCode(escaped))) return this.refuse('an escape')
      this.at += 1
      return true
    }
    const unit = this.unitOfEscape(this.at)
    if (unit === undefined) return this.refuse('four hex digits')
    if (unit >= 0xd800 && unit <= 0xdfff) {
      const low = unit < 0xdc00 ? this.unitOfEscape(this.at + 6) : undefined
      if (low === undefined || low < 0xdc00 || low > 0xdfff) return this.refuse('both halves of a surrogate pair')
      this.at += 6
    }
    this.at += 5
    return true
  }

  /** The code unit that a `\uXXXX` spells, if there is one. */
  private unitOfEscape(at: number): number | undefined {
    const escape = String.fromCharCode(...this.bytes.subarray(at, at + 6))
    return ESCAPED_UNIT.test(escape) ? Number.parseInt(escape.slice(2), 16) : undefined
  }

  private number(): boolean {
    const start = this.at
    this.skip(MINUS)
    if (!this.skip(ZERO) && !this.digits()) return this.refuse(start === this.at ? 'a value' : 'a digit')
    if (this.skip(POINT) && !this.digits()) return this.refuse('a digit')
    const hasExponent = (this.peek() | 0x20) === LOWER_E
    if (hasExponent) {
      this.at += 1
      if (!this.skip(MINUS)) this.skip(PLUS)
      if (!this.digits()) return this.refuse('a digit')
    }
    const mayOverflow = hasExponent || this.at - start > 300 // shorter, it is below 10^300
    if (mayOverflow && !Number.isFinite(Number(this.textFrom(start)))) {
      return this.refuse('a number that a double can hold', start)
    }
    return true
  }

  private digits(): boolean {
    const start = this.at
    while (this.peek() >= ZERO && this.peek() <= NINE) this.at += 1
    return this.at > start
  }

  private literal(word: string): boolean {
    for (let i = 0; i < word.length; i++) {
      if (this.bytes[this.at + i] !== word.charCodeAt(i)) return this.refuse('a value')
    }
    this.at += word.length
    return true
  }

  private space(): void {
    for (;;) {
      const byte = this.peek()
      if (byte !== SPACE && byte !== LINE_FEED && byte !== CARRIAGE_RETURN && byte !== TAB) return
      this.at += 1
    }
  }

  private peek(): number {
    return this.bytes[this.at] ?? END
  }

  private skip(byte: number): boolean {
    if (this.peek() !== byte) return false
    this.at += 1
    return true
  }

  private textFrom(start: number): string {
    if (this.asciiText !== undefined) return this.asciiText.slice(start, this.at)
    return decodeUtf8(this.bytes.subarray(start, this.at)) ?? '' // never: the whole was valid, and it was cut at ASCII
  }

  private refuse(expected: string, at = this.at): false {
    this.expected = expected
    this.at = at
    return false
  }
}

const ESCAPED_UNIT = /^\\u[0-9a-fA-F]{4}$/
const ESCAPABLE = '"\\/bfnrt'
