import {
  BACKSLASH,
  CARRIAGE_RETURN,
  END,
  LINE_FEED,
  LOWER_A,
  LOWER_E,
  LOWER_F,
  LOWER_U,
  MINUS,
  NINE,
  PLUS,
  POINT,
  QUOTE,
  SPACE,
  TAB,
  ZERO,
} from './ascii.ts'

/**
 * Reads the tokens of JSON: strings, numbers, words and white space. A method reads one token at `at` and moves `at` behind it. If it
 * refuses, `at` is the place of the error, and `expected` says which text is expected there.
 *
 * It reads bytes because that is three times as fast as reading characters; the decoder has checked all bytes above ASCII. Strings are
 * cut from the decoded text.
 */
export class Scanner {
  at = 0
  expected = ''
  protected readonly bytes: Uint8Array
  private readonly text: string
  /** How many more bytes than units the text has before `at`. */
  private surplus = 0

  constructor(bytes: Uint8Array, text: string) {
    this.bytes = bytes
    this.text = text
  }

  protected string(): string | undefined {
    const { bytes } = this
    const start = this.at - this.surplus
    let hasEscape = false
    for (let at = this.at + 1; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? END
      if (byte >= 0x80) this.surplus += surplusOf(byte)
      else if (byte === QUOTE) {
        this.at = at + 1
        const end = this.at - this.surplus
        if (!hasEscape) return this.text.slice(start + 1, end - 1)
        return JSON.parse(this.text.slice(start, end)) as string // this loop has checked that it is a JSON string
      } else if (byte === BACKSLASH) {
        hasEscape = true
        this.at = at
        if (!this.escape()) return undefined
        at = this.at
      } else if (byte < SPACE) return this.missing('a character of a string', at)
    }
    return this.missing('a character of a string', bytes.length)
  }

  /** Reads an escape, and leaves `at` on its last character. */
  private escape(): boolean {
    const { at } = this
    const escaped = this.bytes[at + 1] ?? END
    if (escaped !== LOWER_U) {
      if (!ESCAPABLE.includes(escaped)) return this.refuse('an escape')
      this.at = at + 1
      return true
    }
    const unit = this.unitOfEscape(at)
    if (unit === undefined) return this.refuse('four hex digits')
    this.at = at + 5
    if (unit < 0xd800 || unit > 0xdfff) return true
    const low = unit < 0xdc00 ? this.unitOfEscape(at + 6) : undefined
    if (low === undefined || low < 0xdc00 || low > 0xdfff) return this.refuse('both halves of a surrogate pair', at)
    this.at = at + 11
    return true
  }

  /** Reads the code unit of a `\uXXXX`, if there is one. */
  private unitOfEscape(at: number): number | undefined {
    const { bytes } = this
    if (bytes[at] !== BACKSLASH || bytes[at + 1] !== LOWER_U) return undefined
    let unit = 0
    for (let i = at + 2; i < at + 6; i += 1) {
      const digit = hexDigit(bytes[i] ?? END)
      if (digit === undefined) return undefined
      unit = unit * 16 + digit
    }
    return unit
  }

  protected number(): number | undefined {
    const start = this.at
    this.skip(MINUS)
    if (!this.skip(ZERO) && !this.digits()) return this.missing(this.at === start ? 'a value' : 'a digit')
    const next = this.peek()
    const isInteger = next !== POINT && (next | 0x20) !== LOWER_E
    if (isInteger && this.at - start <= EXACT_DIGITS_MAX) return this.integer(start)
    if (this.skip(POINT) && !this.digits()) return this.missing('a digit')
    if ((this.peek() | 0x20) === LOWER_E) {
      this.at += 1
      if (!this.skip(MINUS)) this.skip(PLUS)
      if (!this.digits()) return this.missing('a digit')
    }
    const value = Number(this.text.slice(start - this.surplus, this.at - this.surplus))
    return Number.isFinite(value) ? value : this.missing('a number that a double can hold', start)
  }

  /** The digits from `start` to here, as a number: this is faster than cutting and converting a text. */
  private integer(start: number): number {
    const isNegative = this.bytes[start] === MINUS
    let value = 0
    for (let at = isNegative ? start + 1 : start; at < this.at; at += 1)
      value = value * 10 + (this.bytes[at] ?? ZERO) - ZERO
    return isNegative ? -value : value
  }

  private digits(): boolean {
    const start = this.at
    while (this.peek() >= ZERO && this.peek() <= NINE) this.at += 1
    return this.at > start
  }

  protected literal<A extends boolean | null>(word: string, value: A): A | undefined {
    for (let i = 0; i < word.length; i += 1) {
      if (this.bytes[this.at + i] !== word.charCodeAt(i)) return this.missing('a value')
    }
    this.at += word.length
    return value
  }

  protected space(): void {
    for (;;) {
      const byte = this.peek()
      if (byte !== SPACE && byte !== LINE_FEED && byte !== CARRIAGE_RETURN && byte !== TAB) return
      this.at += 1
    }
  }

  protected peek(): number {
    return this.bytes[this.at] ?? END
  }

  protected skip(byte: number): boolean {
    if (this.peek() !== byte) return false
    this.at += 1
    return true
  }

  protected refuse(expected: string, at = this.at): false {
    this.expected = expected
    this.at = at
    return false
  }

  /** Like `refuse`, for methods that return a value. */
  protected missing(expected: string, at = this.at): undefined {
    this.refuse(expected, at)
  }
}

/** A double is exact for every integer with at most this many digits. */
const EXACT_DIGITS_MAX = 15
const ESCAPABLE = Array.from('"\\/bfnrt', (character) => character.charCodeAt(0))

/** By how many bytes a character is longer than its units, for its first byte: it has one unit, or two if it has four bytes. */
const surplusOf = (byte: number): number => {
  if (byte < 0xc0) return 1 // not the first byte of its character
  return byte < 0xf0 ? 0 : -1
}

const hexDigit = (byte: number): number | undefined => {
  if (byte >= ZERO && byte <= NINE) return byte - ZERO
  const lower = byte | 0x20
  return lower >= LOWER_A && lower <= LOWER_F ? lower - LOWER_A + 10 : undefined
}
