/**
 * The account of what is answered of the public API: `docs/reference/coverage.md`, and a sentence of README. Both are made of what the
 * tests saw over sockets, and compared with it after each run of all conformance tests.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { refusalOfQuery, refusedOnPurpose } from '../../../core/resources/refused-on-purpose.ts'
import { page, table } from '../docs/shape-table.ts'
import { readFacts, type Facts } from './record.ts'
import { OWN_ROUTES, specification, type Specification } from './specification.ts'

const PAGE = 'docs/reference/coverage.md'
const README = 'README.md'
const SENTENCE = /^Of the public API, .*$/m

type Row = { readonly name: string; readonly seenIn: string | undefined; readonly refused: string | undefined }
type Kind = { readonly title: string; readonly about: string; readonly rows: readonly Row[] }

type Refused = (name: string) => string | undefined

const kindsOf = (spec: Specification, facts: Facts): readonly Kind[] => {
  const rowsOf = (fact: string, names: Iterable<string>, refused: Refused = () => undefined): readonly Row[] =>
    [...new Set(names)]
      .toSorted()
      .map((name) => ({ name, seenIn: facts.get(`${fact} ${name}`), refused: refused(name) }))
  return KINDS.map(({ title, about, fact, names, refused }) => ({
    title,
    about,
    rows: rowsOf(fact, names(spec), refused && refused(spec)),
  }))
}

const typesOf = (spec: Specification): readonly string[] => Object.keys(spec.activityTypes)
const pathsOf = (spec: Specification): readonly string[] => spec.operations.map(({ path }) => path)
const lastOf = (spec: Specification, start: string): readonly string[] =>
  pathsOf(spec).flatMap((path) => (path.startsWith(start) ? [path.slice(start.length)] : []))

/** Why all types of which this holds are refused; undefined if one of them is not. */
const refusedOf = (spec: Specification, isOne: (type: string) => boolean): string | undefined => {
  const reasons = typesOf(spec)
    .filter(isOne)
    .map((type) => refusedOnPurpose.get(type))
  return reasons.every((reason) => reason !== undefined) ? reasons[0] : undefined
}

const KINDS: readonly {
  readonly title: string
  readonly about: string
  readonly fact: string
  readonly names: (spec: Specification) => Iterable<string>
  readonly refused?: (spec: Specification) => Refused
}[] = [
  {
    title: 'Submit paths',
    about: 'An activity was completed on it, or a vote cast.',
    fact: 'submit',
    names: (spec) => lastOf(spec, '/public/v1/submit/'),
  },
  {
    title: 'Submit paths of our own',
    about: 'For types of the public API without a path: the type in lower case.',
    fact: 'submit',
    names: () => OWN_ROUTES.keys(),
    refused: (spec) => (path) => refusedOf(spec, (type) => OWN_ROUTES.get(path)?.includes(type) === true),
  },
  {
    title: 'Queries',
    about: 'It was answered, as its definition says.',
    fact: 'query',
    names: (spec) => lastOf(spec, '/public/v1/query/'),
    refused: () => (path) => refusalOfQuery(path)?.message,
  },
  {
    title: 'Activity types',
    about: 'An activity of this type was completed.',
    fact: 'type',
    names: typesOf,
    refused: () => (type) => refusedOnPurpose.get(type),
  },
  {
    title: 'Result members',
    about: 'A completed activity had it.',
    fact: 'result',
    names: (spec) => Object.values(spec.activityTypes).flatMap(({ resultKey: key }) => (key === '*' ? [] : [key])),
    refused: (spec) => (key) => refusedOf(spec, (type) => spec.activityTypes[type]?.resultKey === key),
  },
  {
    title: 'Internal paths',
    about: 'They were answered.',
    fact: 'internal',
    names: (spec) => pathsOf(spec).filter((path) => path.startsWith('/tkhq/')),
  },
  {
    title: 'Paths of the auth proxy',
    about: 'They were answered.',
    fact: 'proxy',
    names: (spec) => spec.authProxy.operations.map(({ path }) => path),
  },
  { title: 'Error codes', about: 'A refusal had it.', fact: 'code', names: (spec) => Object.keys(spec.errorCodes) },
  {
    title: 'Features',
    about: 'It was set. What it switches on is another matter.',
    fact: 'feature',
    names: (spec) => spec.definitions['v1FeatureName']?.enum ?? [],
  },
]

const counts = ({ rows }: Kind) => {
  const works = rows.filter(({ seenIn }) => seenIn !== undefined).length
  const refused = rows.filter((row) => row.seenIn === undefined && row.refused !== undefined).length
  return { works, refused, open: rows.length - works - refused, all: rows.length }
}

const code = (text: string): string => `\`${text}\``
const fileOf = (path: string): string => code(path.replace('test/system/', ''))

const sectionOf = (kind: Kind): readonly string[] => {
  const { title, about, rows } = kind
  const open = rows.filter((row) => row.seenIn === undefined && row.refused === undefined)
  const told = rows.filter((row) => !open.includes(row))
  const outcome = ({ seenIn, refused = '' }: Row): string =>
    seenIn === undefined ? `refused on purpose: ${refused}` : fileOf(seenIn)
  return [
    `## ${title}`,
    about,
    ...(told.length === 0
      ? []
      : [
          table(
            ['name', 'the test that saw it'],
            told.map((row) => [code(row.name), outcome(row)]),
          ),
        ]),
    ...(open.length === 0 ? [] : [`Open: ${open.map(({ name }) => code(name)).join(', ')}.`]),
  ]
}

const pageOf = (kinds: readonly Kind[]): string =>
  page(
    'Coverage',
    `This page says what is answered of the public API. It is written from what tests saw over a socket, so nothing stands here that was
only claimed; a refusal is no proof. What worked once and does not any more fails the tests.`,
    table(
      ['', 'works', 'refused on purpose', 'open', 'all'],
      kinds.map((kind) => {
        const { works, refused, open, all } = counts(kind)
        return [kind.title, ...[works, refused, open, all].map(String)]
      }),
    ),
    ...kinds.flatMap(sectionOf),
  )

const sentenceOf = (kinds: readonly Kind[]): string => {
  const of = (title: string): string => {
    const found = kinds.find((kind) => kind.title === title)
    const { works, all } = counts(found ?? { title, about: '', rows: [] })
    return `${works} of ${all}`
  }
  const [submits, queries, types, results] = [
    of('Submit paths'),
    of('Queries'),
    of('Activity types'),
    of('Result members'),
  ]
  const sentence = `Of the public API, ${submits} submit paths, ${queries} queries, ${types} activity types`
  return `${sentence} and ${results} result members work; [the account](${PAGE}) says which.`
}

const readme = (sentence: string): string => readFileSync(README, 'utf8').replace(SENTENCE, sentence)

/** Writes page and sentence. @param folder  of the record of a run */
export const writeAccount = (folder: string): void => {
  if (specification === undefined) return
  const kinds = kindsOf(specification, readFacts(folder))
  writeFileSync(PAGE, pageOf(kinds))
  writeFileSync(README, readme(sentenceOf(kinds)))
}

/** Whether a section names a test that saw it. */
const isTold = (section: string, name: string): boolean =>
  section.split('\n').some((line) => line.startsWith(`| ${code(name)} | \``))

/** Where page and sentence are not what a run saw: what worked is open again, or what works was not told. */
export const faultsOfAccount = (folder: string): readonly string[] => {
  if (specification === undefined) return []
  const kinds = kindsOf(specification, readFacts(folder))
  const told = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : ''
  const gone = kinds.flatMap(({ title, rows }) => {
    const section = told.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? ''
    const lost = rows.filter(({ name, seenIn }) => seenIn === undefined && isTold(section, name))
    return lost.map(({ name }) => `${PAGE}: ${title}: ${name} worked, and is open again`)
  })
  if (gone.length > 0) return gone
  const isTrue = told === pageOf(kinds) && readme(sentenceOf(kinds)) === readFileSync(README, 'utf8')
  return isTrue ? [] : [`${PAGE} or ${README} does not say what works: npm run docs`]
}
