import { isDeepStrictEqual } from 'node:util'
import { decodeUtf8, encodeUtf8 } from '../../../core/bytes.ts'
import { decodeAnyLine } from '../../../core/log/transcript-line.ts'
import { readWritten } from '../../../core/log/written-event.ts'
import { readWrittenPart } from '../../../core/log/written-part.ts'
import { goldenLogs } from '../../golden/golden.ts'
import { random as randomOf, type Random } from '../../simulate/random.ts'

export type Disagreement = { readonly line: string; readonly quick: unknown; readonly slow: unknown }

/** What the two ways of reading made of lines. */
export type Compared = {
  readonly lines: number
  /** How many of the changed lines the quick way still read. */
  readonly read: number
  readonly disagreements: readonly Disagreement[]
}

/**
 * Changes lines of real logs a little, such that the quick way reads before, and reads each of them on both ways: what the quick
 * way reads, the slow way has to read alike.
 */
export const compareMutated = (
  seed: number,
  lines: number,
  onProgress: (lines: number) => void = () => undefined,
): Compared => {
  const random = randomOf(seed)
  const pool = goldenLogs().flatMap(({ text }) => (decodeUtf8(text) ?? '').split('\n').filter(isReadQuickly))
  const disagreements: Disagreement[] = []
  let read = 0
  for (let n = 1; n <= lines; n += 1) {
    let line = random.pick(pool)
    for (let edits = 1 + random.below(2); edits > 0; edits -= 1) line = edited(random, line, pool)
    line = decodeUtf8(encodeUtf8(line)) ?? '' // an edit can leave half of a character, which no bytes carry
    const [quick, slow] = [readQuickly(line), readSlowly(line)]
    if (quick !== undefined) read += 1
    if (quick !== undefined && !isDeepStrictEqual(quick, slow)) disagreements.push({ line, quick, slow })
    if (n % 10_000 === 0) onProgress(n)
  }
  return { lines, read, disagreements }
}

const isReadQuickly = (line: string): boolean => readQuickly(line) !== undefined

const readQuickly = (line: string): unknown => {
  const event = readWritten(line)
  if (event !== undefined) return { _tag: 'event', event }
  const part = readWrittenPart(encodeUtf8(line))
  return part === undefined ? undefined : { _tag: 'part', ...part }
}

const readSlowly = (line: string): unknown => {
  const bytes = encodeUtf8(line)
  const read = decodeAnyLine(bytes, line)
  return read._tag === 'event' ? { _tag: 'event', event: read.event } : read
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
