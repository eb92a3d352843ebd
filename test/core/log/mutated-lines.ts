import { decodeUtf8, encodeUtf8 } from '../../../core/bytes.ts'
import { encodeEvent } from '../../../core/log/event.ts'
import { decodeLine, encodePartLine } from '../../../core/log/transcript-line.ts'
import { goldenLog } from '../../system/golden/golden.ts'
import { random as randomOf, type Random } from '../../campaigns/simulate/random.ts'

/** A line that was read, although what was read of it is written otherwise. */
export type Misread = { readonly line: string; readonly written: string }

export type Mutated = {
  readonly lines: number
  /** How many of the changed lines were still read. */
  readonly read: number
  readonly misread: readonly Misread[]
}

/** The same conclusion with parts; no line where it is none. */
const withParts = (line: string): string =>
  line.endsWith(',"parts":{}}')
    ? `${line.slice(0, -'{}}'.length)}{"bundle":"${A}","personal.1":"${B}","request":"${A}"}}`
    : ''

const [A, B] = ['a1'.repeat(32), 'b2'.repeat(32)]

/** Changes lines of real logs a little, and reads them: a line that is still read has to be the one spelling of what it says. */
export const readMutated = (
  seed: number,
  lines: number,
  onProgress: (lines: number) => void = () => undefined,
): Mutated => {
  const random = randomOf(seed)
  const plain = (decodeUtf8(goldenLog().text) ?? '').split('\n').filter(isRead)
  const pool = [...plain, ...plain.map(withParts).filter(isRead)]
  const misread: Misread[] = []
  let read = 0
  for (let n = 1; n <= lines; n += 1) {
    let line = random.pick(pool)
    for (let edits = 1 + random.below(2); edits > 0; edits -= 1) line = edited(random, line, pool)
    line = decodeUtf8(encodeUtf8(line)) ?? '' // an edit can leave half of a character, which no bytes carry
    const written = writtenAgain(line)
    if (written !== undefined) read += 1
    if (written !== undefined && written !== line) misread.push({ line, written })
    if (n % 10_000 === 0) onProgress(n)
  }
  return { lines, read, misread }
}

const isRead = (line: string): boolean => writtenAgain(line) !== undefined

/** What was read of the line, as it is written; `undefined` where it cannot be read. */
export const writtenAgain = (line: string): string | undefined => {
  const read = decodeLine(encodeUtf8(line))
  if (read._tag === 'unreadable') return undefined
  return decodeUtf8(read._tag === 'event' ? encodeEvent(read.event) : encodePartLine(read.of, read.part))
}

const edited = (random: Random, line: string, pool: readonly string[]): string => {
  const at = random.below(line.length + 1)
  const out = random.chance(0.5) ? 0 : 1 + random.below(3)
  const put = random.chance(0.8) ? random.pick(TOKENS) : sliceOf(random, random.pick(pool))
  const luck = random.next()
  if (luck < 0.1) return line + put
  if (luck < 0.3) return line.replace(random.pick(NUMBERS), (found) => `${random.pick(['0', '1', '-', '1.'])}${found}`)
  if (luck < 0.4) return line.replace(random.pick(NUMBERS), String(random.below(100)))
  return line.slice(0, at) + put + line.slice(at + out)
}

const NUMBERS = [/(?<="rules":)\d+/, /(?<="sequence":")\d+/, /(?<="revision":")\d+/, /(?<="version":)\d+/]

const TOKENS = [
  ...['', '"', '\\', ',', ' ', '0', '1', '9', '-', '.', 'e1', '{', '}', '[', ']', ':', '}}', '"}'],
  ...['null', 'true', '{}', '[]', '""', '\\"', '\\u0041', '\\n', '"a":1,', ',"a":1', '"factors":["x"],', '=', '=='],
  ...['é', '\u2028', '\ufeff', '\u0001', '\u007f', '\ue000', '🚀', 'A', 'f', '__proto__', '"__proto__":1,'],
]

const sliceOf = (random: Random, line: string): string => {
  const from = random.below(line.length)
  return line.slice(from, from + random.below(40))
}
