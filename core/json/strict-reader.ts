import type { Json } from '../failure.ts'
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  LOWER_F,
  LOWER_N,
  LOWER_T,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from './ascii.ts'
import { Scanner } from './scanner.ts'

/** The deepest nesting of a request. Requests of the API have far less, and every recursive function can handle it. */
export const JSON_DEPTH_MAX = 32

export type StrictJsonOptions = {
  /** How many arrays and objects may stand inside each other; default 32. */
  readonly depthMax?: number
  /** The most values, nested values included; default: any number. */
  readonly valuesMax?: number
}

/** The options with their defaults. */
export const settled = ({
  depthMax = JSON_DEPTH_MAX,
  valuesMax = Infinity,
}: StrictJsonOptions): Required<StrictJsonOptions> => ({ depthMax, valuesMax })

/** The state of a reader: it pauses, or it has read the whole text, or it has refused the text. */
export type Progress = 'paused' | 'read' | 'refused'

/**
 * Reads JSON by the rules of `parseStrict`, in one walk that checks the text and builds its value. The walk can pause before any value
 * and go on later. JSON.parse cannot pause: it takes 130 ms for 1 MiB of objects that all have different members, and the process can
 * do nothing else during that time.
 */
export class StrictReader extends Scanner {
  /** Whether the text is refused because it is too deep, or has too many values. */
  isTooLarge = false
  /** The value, when the whole text was read. */
  value: Json = null
  private readonly depthMax: number
  private readonly valuesMax: number
  private valuesLeft: number
  private depth = 0
  private open: Open | undefined
  /** The items of all open arrays. An array is cut from this list when it ends, because a growing array takes five times the memory. */
  private readonly items: Json[] = []

  constructor(bytes: Uint8Array, text: string, options: StrictJsonOptions) {
    super(bytes, text)
    const { depthMax, valuesMax } = settled(options)
    this.depthMax = depthMax
    this.valuesMax = valuesMax
    this.valuesLeft = valuesMax
  }

  /** Reads on, and pauses before the first value that begins behind `until`. */
  read(until = Infinity): Progress {
    if (this.at === 0 && !this.start()) return 'refused'
    while (this.at <= until) {
      let value = this.valueOrEntry()
      if (value === ENTERED) continue
      // The value that ends here may be the last one of the array or object around it.
      for (;;) {
        if (value === undefined) return 'refused'
        this.space()
        const { open } = this
        if (open === undefined) return this.finish(value)
        if (open.object === undefined) this.items.push(value)
        else open.object[open.name] = value
        if (this.skip(COMMA)) {
          this.space()
          if (!this.nameIn(open)) return 'refused'
          break
        }
        value = this.end(open)
      }
    }
    return 'paused'
  }

  private start(): boolean {
    if (BYTE_ORDER_MARK.every((byte, i) => this.bytes[i] === byte)) return this.refuse('no byte order mark')
    this.space()
    return true
  }

  private finish(value: Json): Progress {
    if (this.at !== this.bytes.length) {
      this.refuse('the end')
      return 'refused'
    }
    this.value = value
    return 'read'
  }

  /** A whole value; `ENTERED` for the beginning of an array or object with members; `undefined` for a refusal. */
  private valueOrEntry(): Json | typeof ENTERED | undefined {
    if (this.valuesLeft === 0) return this.tooLarge(`at most ${this.valuesMax} values`)
    this.valuesLeft -= 1
    switch (this.peek()) {
      case QUOTE:
        return this.string()
      case OPEN_BRACE:
        return this.enter({}, CLOSE_BRACE)
      case OPEN_BRACKET:
        return this.enter(undefined, CLOSE_BRACKET)
      case LOWER_T:
        return this.literal('true', true)
      case LOWER_F:
        return this.literal('false', false)
      case LOWER_N:
        return this.literal('null', null)
      default:
        return this.number()
    }
  }

  private enter(object: Members | undefined, closing: number): Json | typeof ENTERED | undefined {
    if (this.depth === this.depthMax) return this.tooLarge(`a nesting of at most ${this.depthMax}`)
    this.at += 1
    this.space()
    if (this.skip(closing)) return object ?? []
    this.open = { object, itemsBefore: this.items.length, outer: this.open, name: '' }
    this.depth += 1
    return this.nameIn(this.open) ? ENTERED : undefined
  }

  private tooLarge(expected: string): undefined {
    this.isTooLarge = true
    return this.missing(expected)
  }

  /** Leaves the innermost array or object, whose end has to be at `at`. */
  private end({ object, itemsBefore, outer }: Open): Json | undefined {
    if (!this.skip(object === undefined ? CLOSE_BRACKET : CLOSE_BRACE))
      return this.missing(`a comma or the end of the ${object === undefined ? 'array' : 'object'}`)
    this.open = outer
    this.depth -= 1
    return object ?? this.items.splice(itemsBefore)
  }

  /** Reads the name of the next member, and the colon. An array has none. */
  private nameIn(open: Open): boolean {
    const { object } = open
    if (object === undefined) return true
    const start = this.at
    if (this.peek() !== QUOTE) return this.refuse('a name in quotes')
    const name = this.string()
    if (name === undefined) return false
    if (name === '__proto__') return this.refuse('no member of that name', start)
    if (name in object) {
      if (Object.hasOwn(object, name)) return this.refuse('no second member of the same name', start)
      // Every object inherits this name. If a host has frozen Object.prototype, an assignment would throw.
      Object.defineProperty(object, name, { value: null, writable: true, enumerable: true, configurable: true })
    }
    open.name = name
    this.space()
    if (!this.skip(COLON)) return this.refuse('a colon')
    this.space()
    return true
  }
}

type Members = { [name: string]: Json }

/** An array or object whose end is not read yet. */
type Open = {
  /** `undefined` for an array: its items are those of the reader from `itemsBefore` on. */
  readonly object: Members | undefined
  readonly itemsBefore: number
  readonly outer: Open | undefined
  /** The name of the member whose value is next. */
  name: string
}

/** Marks that the beginning of an array or object was read. */
const ENTERED = Symbol('entered')

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]
