import { existsSync, readFileSync } from 'node:fs'
import * as t from 'io-ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decode } from '../../../core/codec/codec.ts'
import { importCircles, importFindings, packageOf, packagesLoadedBy, resolved } from './imports.ts'
import { findings, PATTERNS, spareExceptions } from './patterns.ts'
import { commitFindings, COMMITS, git, rootFindings, SUBJECT_MAX } from './repository.ts'
import { fileLengthFindings, functionLengthFindings, nameFindings, runFindings, subjectFindings } from './shape.ts'
import { source, sources, type Source } from './source.ts'
import { LATER, LONGEST, SAMPLES } from '../../tiers.ts'

const it = suite('tidy')

/** Dependencies and peers that nothing imports yet, and why they are there. Entries only go. */
const NOT_IMPORTED_YET: Readonly<Record<string, string>> = {}

const Dependencies = t.record(t.string, t.string)
const PackageJson = t.type({
  dependencies: Dependencies,
  peerDependencies: Dependencies,
  exports: t.record(t.string, t.union([t.string, t.type({ types: t.string, default: t.string })])),
})
const manifest = ((): t.TypeOf<typeof PackageJson> => {
  const decoded = decode(PackageJson, 'package.json')(JSON.parse(readFileSync('package.json', 'utf8')))
  if (decoded._tag === 'Left') throw new Error(decoded.left.message)
  return decoded.right
})()
const entryPoints = Object.values(manifest.exports).flatMap((entry) =>
  typeof entry === 'string' ? [] : [entry.default.replace(/^\.\/dist\//, '').replace(/\.js$/, '.ts')],
)

const all = sources('.')
const shipped = all.filter(({ path }) => path.startsWith('core/') || path.startsWith('adapters/'))

const none = (found: readonly string[]): void => {
  if (found.length === 0) return
  const error = new Error(`${found.length} found\n    ${found.join('\n    ')}`)
  error.stack = '' // the place is in the message
  throw error
}
const each = (rule: (one: Source) => readonly string[]) => () => none(all.flatMap(rule))

it('finds our sources', () => assert.ok(all.some(({ path }) => path === 'core/prelude.ts')))

for (const pattern of PATTERNS) {
  it(`holds: ${pattern.says}`, () => none(all.flatMap((one) => findings(pattern, one))))

  it(`would see it: ${pattern.says}`, () => {
    const path = `${pattern.under?.[0] ?? 'core/'}example.ts`
    for (const text of pattern.refuses) assert.is(findings(pattern, source(path, text)).length > 0, true, text)
    for (const text of pattern.passes) assert.is(findings(pattern, source(path, text)).length, 0, text)
  })
}

it('excepts nothing from these rules that does not need it', () =>
  none(PATTERNS.flatMap((pattern) => spareExceptions(pattern, all))))

it('would see an exception that nothing needs', () => {
  const pattern = { says: 'no a', pattern: /a/, except: ['core/one.ts'], refuses: ['a'], passes: ['b'] }
  const spare = (text: string): number => spareExceptions(pattern, [source('core/one.ts', text)]).length
  assert.equal(['a', 'b'].map(spare), [0, 1])
})

it('names tests that are there in the tiers', () => {
  const paths = all.map(({ path }) => path)
  none([...LATER, ...SAMPLES, ...LONGEST].filter((part) => !paths.some((path) => path.startsWith(part))))
  none(SAMPLES.filter((path) => !LATER.some((part) => path.startsWith(part))))
})

it('imports in one direction', each(importFindings))

it('would see an import against the direction', () => {
  const refused = (path: string, text: string): boolean => importFindings(source(path, text)).length > 0
  assert.ok(refused('core/log/a.ts', `import { b } from '../engine.ts'`))
  assert.ok(refused('core/log/a.ts', `import {\n  type B,\n} from '../command/bus.ts'`))
  assert.ok(refused('core/log/a.ts', `const b = await import('node:fs')`))
  assert.ok(refused('core/log/a.ts', `import 'reflect-metadata'`))
  assert.ok(refused('core/log/a.ts', `export * from '../../adapters/http/index.ts'`))
  assert.ok(refused('core/log/a.ts', `import * as E from 'fp-ts/lib/Either.js'`))
  assert.ok(refused('core/unheard-of/a.ts', `import { b } from '../log/event.ts'`))
  assert.ok(refused('adapters/http/a.ts', `import { b } from '../store-memory/index.ts'`))
  assert.ok(refused('adapters/cli/a.ts', `import { nodeIds } from '../ids/node-ids.ts'`))
  assert.not.ok(refused('adapters/container.ts', `import { nodeIds } from './ids/node-ids.ts'`))
  assert.ok(refused('core/ports/a.ts', `import { b } from '../organization/b.ts'`))
  assert.ok(refused('core/ports/a.ts', `import type { B } from '../organization/b.ts'`))
  assert.ok(refused('core/audit/a.ts', `import { b } from '../writing/b.ts'`)) // of the same floor
  assert.not.ok(refused('core/log/a.ts', `import { B } from './b.ts'`))
  assert.not.ok(refused('core/engine.ts', `import { b } from './log/event.ts'\nimport * as t from 'io-ts'`))
  assert.not.ok(refused('adapters/cli/a.ts', `import { b } from '../store-memory/index.ts'`))
  assert.not.ok(refused('adapters/http/a.ts', `import { b } from './b.ts'\nimport http from 'node:http'`))
  assert.not.ok(refused('adapters/http/a.ts', `import { crashPoint } from '../crash-point.ts'`))
})

it('loads neither fp-ts nor codecs in the workers of the SQLite store: each start would take a tenth of a second more', () => {
  for (const path of ['adapters/store-sqlite/writer.ts', 'adapters/store-sqlite/reader.ts']) {
    const loaded = packagesLoadedBy(all, path)
    assert.equal([loaded.has('libsql'), loaded.has('fp-ts'), loaded.has('io-ts')], [true, false, false], path)
  }
})

it('loads neither in the thread of the store on EventStoreDB, which is started anew with each connection', () => {
  const loaded = packagesLoadedBy(all, 'adapters/store-eventstoredb/worker.ts')
  const wanted = ['@eventstore/db-client', 'fp-ts', 'io-ts'].map((name) => loaded.has(name))
  assert.equal(wanted, [true, false, false])
})

it('loads nothing of Node where Request and Response are answered: workers and browsers do not have it', () => {
  const loaded = packagesLoadedBy(all, 'adapters/http/fetch-handler.ts')
  assert.equal([...loaded].toSorted(), ['fp-ts', 'io-ts'])
})

it('loads nothing of Node in the inbox, which is that of browsers, too', () => {
  const paths = all.map(({ path }) => path).filter((path) => path.startsWith('adapters/inbox/'))
  const loaded = new Set(paths.flatMap((path) => [...packagesLoadedBy(all, path)]))
  assert.equal([...loaded].toSorted(), ['@noble/curves', '@noble/hashes', 'fp-ts', 'io-ts'])
})

it('imports in no circle', () => none(importCircles(all)))

it('would see a circle', () => {
  const circle = [source('core/a.ts', `import { b } from './b.ts'`), source('core/b.ts', `import { a } from './a.ts'`)]
  assert.equal(importCircles(circle), ['core/a.ts → core/b.ts → core/a.ts'])
})

it(
  'names files in kebab-case, and for what is in them',
  each((one) => nameFindings(one, entryPoints)),
)

it('would see a bad name', () => {
  const count = (path: string): number => nameFindings(source(path, ''), ['core/index.ts']).length
  assert.equal(['core/aB.ts', 'core/utils/a.ts', 'core/types.ts', 'core/log/index.ts'].map(count), [1, 1, 1, 1])
  assert.equal(['core/a-b.ts', 'core/index.ts', 'test/a/rfc8032.test.ts'].map(count), [0, 0, 0])
})

it('keeps files short', () => none(fileLengthFindings(all)))

it('lets the exceptions for long files only shrink', () => {
  const long = [source('core/a.ts', 'a\n'.repeat(310))]
  assert.is(fileLengthFindings(long, {}).length, 1)
  assert.is(fileLengthFindings(long, { 'core/a.ts': 310 }).length, 0)
  assert.is(fileLengthFindings(long, { 'core/a.ts': 320 }).length, 1)
  assert.is(fileLengthFindings([], { 'core/a.ts': 320 }).length, 1)
})

it('keeps functions short', () => none(functionLengthFindings(all)))

it('would see a long function, and does not count the functions in it', () => {
  const count = (text: string): number => functionLengthFindings([source('core/a.ts', text)], {}).length
  const lines = 'b()\n'.repeat(69)
  assert.is(count(`const a = () => {\n${lines}}`), 1)
  assert.is(count(`function a(b: string): void {\n${lines}}`), 1)
  assert.is(count(`const a = () => {\n${'b()\n'.repeat(68)}}`), 0)
  assert.is(count(`const a = () => {\n${'const c = () => {\n d()\n}\n'.repeat(40)}}`), 0)
  assert.is(count(`const a = {\n${lines}}`), 0)
})

it(
  'has a subject for each test',
  each((one) => subjectFindings(one, existsSync, (to) => resolved(one.path.slice(5), to))),
)

it('runs each suite', each(runFindings))

it('would see a suite that is not run', () => {
  const count = (text: string): number => runFindings(source('test/a.test.ts', text)).length
  assert.is(count(`const it = suite('a')`), 1)
  assert.is(count(`const it = suite('a')\nconst that = suite('b')\nit.run()`), 1)
  assert.is(count(`console.log('nothing')`), 1)
  assert.is(count(`const it = suite<{ a: 1 }>('a')\nit.run()`), 0)
})

it('tells code from comments, strings, templates and regular expressions', () => {
  const { code, comments } = source('a.ts', "a('//b') // c\n`d${e(`f`)}g` + /[/'\"]/.test(h) /* i */ / j")
  assert.is(code.replace(/\s+/g, ' '), "a(' ') ` ${e(` `)} ` + / /.test(h) / j")
  assert.is(comments.trim().replace(/\s+/g, ' '), '// c /* i */')
})

it('has nothing at the root that a stranger would not expect', () => none(rootFindings(git('ls-files') ?? [])))

it('would see a file at the root that nobody expects', () =>
  assert.is(rootFindings(['README.md', 'core/a.ts', 'NOTES.md', 'later/a.ts', 'later/b.ts']).length, 2))

it('has short subjects of commits', () => none(commitFindings(git(...COMMITS) ?? [])))

it('would see the subject of a commit that is too long', () =>
  assert.is(commitFindings([`abc ${'x'.repeat(SUBJECT_MAX)}`, `abc ${'x'.repeat(SUBJECT_MAX + 1)}`]).length, 1))

it('has a source for each entry point of the package', () =>
  none(entryPoints.filter((path) => !existsSync(path)).map((path) => `package.json:1 there is no ${path}`)))

it('imports what it depends on, and depends on what it imports', () => {
  const apart = shipped.filter(({ path }) => !path.startsWith('adapters/console/page/')) // the page is bundled with what it imports
  const imported = new Set(apart.flatMap(({ imports }) => imports.map(({ specifier }) => packageOf(specifier))))
  const declared = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
  none([
    ...declared
      .filter((name) => !imported.has(name) && !(name in NOT_IMPORTED_YET))
      .map((name) => `package.json:1 nothing imports ${name}`),
    ...Object.keys(NOT_IMPORTED_YET)
      .filter((name) => imported.has(name) || !declared.includes(name))
      .map((name) => `test/system/tidy/tidy.test.ts:1 ${name} needs no exception any more`),
    ...[...imported]
      .filter((name) => !name.startsWith('.') && !name.startsWith('node:') && !declared.includes(name))
      .map((name) => `package.json:1 ${name} is imported and is no dependency`),
  ])
})

it('locks dependencies without the address that they were loaded from', () =>
  assert.not.match(readFileSync('package-lock.json', 'utf8'), '"resolved"'))

it.run()
