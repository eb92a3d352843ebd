import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../../../core/failure.ts'
import type { Random } from '../simulate/random.ts'
import { vectorFile, vectorFolder } from '../../vectors.ts'

/** Spoils a body. What comes out may still be JSON, and even a request that can be met. */
export type Spoil = (body: Json, random: Random) => Uint8Array

export const written = (body: Json): Buffer => Buffer.from(JSON.stringify(body))

/** Every way to spoil a body, by name. */
export const spoils = (): Readonly<Record<string, Spoil>> => {
  const texts = naughtyTexts()
  const files = jsonFiles()
  return {
    'bits flipped': (body, random) => flipped(written(body), random),
    truncated: (body, random) => written(body).subarray(0, random.below(written(body).length)),
    'members doubled': (body, random) => doubled(JSON.stringify(body), random),
    'nested deeply': (body, random) => spliced(body, random, nesting(random)),
    'huge numbers': (body, random) => spliced(body, random, Buffer.from(random.pick(NUMBERS))),
    'huge texts': (body, random) => spliced(body, random, hugeText(random)),
    'other types': (body, random) => spliced(body, random, written(random.pick(OTHERS))),
    'members missing': (body, random) => written(without(body, random)),
    'naughty texts': (body, random) => spliced(body, random, written(random.pick(texts))),
    'files of the JSON test suite': (body, random) => {
      const file = random.pick(files)
      return random.chance(0.3) ? file : spliced(body, random, file)
    },
    'other bytes': (body, random) => inserted(written(body), random),
  }
}

const naughtyTexts = (): readonly string[] => {
  const list = vectorFile<readonly string[]>('blns', 'blns.base64.json') ?? []
  return [
    ...list.map((text) => Buffer.from(text, 'base64').toString()),
    '',
    '\u0000',
    '__proto__',
    '\ud800',
    '💥'.repeat(99),
  ]
}

const jsonFiles = (): readonly Buffer[] => {
  const folder = vectorFolder('json-test-suite/test_parsing')
  const found = folder === undefined ? [] : readdirSync(folder).map((file) => readFileSync(join(folder, file)))
  return [
    ...found,
    ...['', 'nul', '[1,]', '{"a":1,"a":2}', '"\u0001"', '\ufeff{}', '01', '1e999'].map((text) => Buffer.from(text)),
  ]
}

const NUMBERS: readonly string[] = [
  '1e999',
  '-1e400',
  '1e-999',
  '-0',
  '9007199254740993',
  '9'.repeat(4000),
  `0.${'0'.repeat(4000)}1`,
  '123123e100000',
  '1E+2',
]

const OTHERS: readonly Json[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  '',
  'text',
  [],
  {},
  [[]],
  [null],
  { a: {} },
  { length: 3 },
]

const flipped = (bytes: Buffer, random: Random): Buffer => {
  for (let flips = 1 + random.below(6); flips > 0; flips -= 1) {
    const at = random.below(bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8))
  }
  return bytes
}

const inserted = (bytes: Buffer, random: Random): Buffer => {
  const at = random.below(bytes.length)
  const added = Uint8Array.from({ length: 1 + random.below(12) }, () => random.below(256))
  return Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + random.below(8))])
}

/** A member stands twice, once with another value. */
const doubled = (text: string, random: Random): Buffer => {
  const members = [...text.matchAll(/"[A-Za-z]+":/g)]
  const { index, 0: member } = random.pick(members)
  const value = random.pick(['null', '{}', '"other"', '1'])
  return Buffer.from(`${text.slice(0, index)}${member}${value},${text.slice(index)}`)
}

const nesting = (random: Random): Buffer => {
  const depth = random.pick([2, 30, 63, 64, 65, 500, 10_000, 200_000])
  const [open, close] = random.chance(0.5) ? ['[', ']'] : ['{"a":', '}']
  return Buffer.from(`${open.repeat(depth)}1${random.chance(0.9) ? close.repeat(depth) : ''}`)
}

const hugeText = (random: Random): Buffer => {
  const unit = random.pick(['x', 'ü', '\\u0000', '\\ud83d\\ude00', ' ', '('])
  return Buffer.from(`"${unit.repeat(random.pick([257, 4000, 60_000]))}"`)
}

/** The body with one of its values replaced by these bytes. */
const spliced = (body: Json, random: Random, bytes: Uint8Array): Buffer => {
  const mark = '@place@'
  const text = JSON.stringify(replaced(body, random.pick(placesIn(body)), mark))
  const at = text.indexOf(`"${mark}"`)
  const behind = Buffer.from(text.slice(at + mark.length + 2))
  return Buffer.concat([Buffer.from(text.slice(0, at)), bytes, behind])
}

const without = (body: Json, random: Random): Json => replaced(body, random.pick(placesIn(body)), undefined) ?? null

type Place = readonly string[]

const placesIn = (json: Json, place: Place = []): readonly Place[] =>
  typeof json === 'object' && json !== null
    ? [place, ...Object.entries(json).flatMap(([member, value]) => placesIn(value, [...place, member]))]
    : [place]

/** `undefined` takes the value out. */
const replaced = (json: Json, [member, ...rest]: Place, value: Json | undefined): Json | undefined => {
  if (member === undefined || typeof json !== 'object' || json === null) return value
  const changed = Object.entries(json).flatMap(([name, inner]) => {
    const made = name === member ? replaced(inner, rest, value) : inner
    return made === undefined ? [] : [[name, made] as const]
  })
  return Array.isArray(json) ? changed.map(([, inner]) => inner) : Object.fromEntries(changed)
}
