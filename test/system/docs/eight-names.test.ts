/** Nobody has to learn many names at once: an example, and a guide with all its blocks of code, imports at most eight of the library. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { blocksOf, pages } from './markdown.ts'

const it = suite('the names that readers meet')

const NAMES_MAX = 8

/** Code that a reader takes as one, such as a page or an example with all its files. */
type Code = { readonly path: string; readonly text: string }

const codeOfPages = (folder: string): readonly Code[] =>
  pages()
    .filter(({ path }) => path.startsWith(folder))
    .map((page) => ({
      path: page.path,
      text: blocksOf(page)
        .filter(({ language }) => /^[cm]?[jt]sx?$/.test(language))
        .map(({ code }) => code)
        .join('\n'),
    }))

const examples = (): readonly Code[] =>
  readdirSync('examples', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ path: join('examples', name), text: readFileSync(join('examples', name), 'utf8') }))

/** What stands between `import` and `from`. */
const IMPORT = /\bimport\s+(?:type\s+)?([\w\s{},*]+?)\s+from\s+'(countersign(?:\/[\w-]+)?)'/g

/** The names that code imports from any entry of the library. `import * as api from 'countersign/api'` is one name, as `t` is. */
const namesIn = ({ text }: Code): ReadonlySet<string> =>
  new Set([...text.matchAll(IMPORT)].flatMap(([, imported = '', entry = '']) => namesOf(imported, entry)))

const namesOf = (imported: string, entry: string): readonly string[] =>
  imported
    .replaceAll(/[{}]/g, '')
    .split(',')
    .map((one) => one.trim().replace(/^type\s+/, ''))
    .filter((one) => one !== '')
    .map((one) => (one.startsWith('*') ? `${entry}: ${one}` : one.replace(/\s+as\s+\w+$/, '')))

const wholeEntries = (code: Code): readonly string[] =>
  [...namesIn(code)].filter((name) => name.includes('*') && !name.startsWith('countersign/api:'))

/** How often code names an entry of the library in quotes, in an import of any form. */
const mentions = ({ text }: Code): number =>
  [...text.matchAll(/(?:\bfrom|\bimport|\()\s*['"`]countersign(?=[/'"`])/g)].length

for (const [what, all, least] of [
  ['examples', examples(), 2],
  ['how-to guides', codeOfPages('docs/how-to/'), 15],
  ['tutorials', codeOfPages('docs/tutorials/'), 2],
] as const)
  it(`are at most ${NAMES_MAX} in each of the ${what}`, () => {
    assert.ok(all.length >= least, `${all.length} ${what}`)
    for (const code of all) {
      const names = namesIn(code)
      assert.ok(names.size <= NAMES_MAX, `${code.path} imports ${names.size}: ${[...names].join(', ')}`)
      assert.equal(wholeEntries(code), [], `${code.path} imports all of an entry`)
      assert.is(
        [...code.text.matchAll(IMPORT)].length,
        mentions(code),
        `${code.path} imports in a form that is not counted`,
      )
    }
  })

it('are counted in all forms of an import', () => {
  const text = `import { t, refuse as no, type Client } from 'countersign'
import type {
  Event,
} from 'countersign/define'
import * as api from 'countersign/api'
import { port, t } from 'countersign'
import { pipe } from 'fp-ts/function'
`
  assert.equal(
    [...namesIn({ path: '', text })],
    ['t', 'refuse', 'Client', 'Event', 'countersign/api: * as api', 'port'],
  )
  assert.is(mentions({ path: '', text: `${text}await import('countersign/http')` }), 5)
})

it.run()
