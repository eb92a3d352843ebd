import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { sources } from '../tidy/source.ts'
import { anchorsOf, pageOf, pages, proseOf, type Page } from './markdown.ts'

const it = suite('the documents')

const all = pages()
const docs = all.filter(({ path }) => path.startsWith('docs/'))

it('say their purpose in their first sentence', () => {
  for (const page of all) {
    const [title = '', ...rest] = proseOf(page).split('\n\n')
    assert.match(title, /^# \S/, `${page.path} begins with its title`)
    const first = rest.find((block) => !block.startsWith('<!--') && !/^Status:|^Replaced by/.test(block)) ?? ''
    assert.match(first, /^[A-Z_`*[][^]*[.:]$/, `${page.path} begins with a sentence`)
  }
})

it('lead to what is there', () => {
  const broken = all.flatMap((page) =>
    linksOf(page)
      .filter((link) => !leadsSomewhere(page, link))
      .map((link) => `${page.path}: ${link}`),
  )
  assert.equal(broken, [])
})

it('are all in an index', () => {
  const [first, decisions] = ['docs/README.md', 'docs/decisions/README.md'].map(listedIn)
  const indexOf = (path: string) => (/^docs\/decisions\/(?!README\.md)/.test(path) ? decisions : first)
  assert.equal(
    docs.map(({ path }) => path).filter((path) => path !== 'docs/README.md' && indexOf(path)?.has(path) !== true),
    [],
  )
})

it('lead from the package only to what is in the package', () => {
  const { files } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly files: readonly string[] } // npm reads it, too
  const packed = ['README.md', 'LICENSE', ...files]
  const outside = docs.flatMap(({ path }) =>
    [...listedIn(path)].filter((target) => !packed.includes(target.split('/')[0] ?? '')).map((to) => `${path}: ${to}`),
  )
  assert.equal(outside, [])
})

it('are where the sources say that they are', () => {
  const missing = sources('.').flatMap(({ path, comments }) =>
    [...comments.matchAll(/\bdocs\/[\w/-]+\.md/g)].flatMap(([doc]) => (existsSync(doc) ? [] : [`${path}: ${doc}`])),
  )
  assert.equal(missing, [])
})

it('name codes and constants that the sources have', () => {
  const known = sources('.')
    .filter(({ path }) => !path.startsWith('test/'))
    .map(({ text }) => text)
    .join('\n')
  const variables = readFileSync('docs/reference/configuration.md', 'utf8')
  const ours = all.filter(({ path }) => path !== 'docs/reference/coverage.md') // it names what others have
  const unknown = ours.flatMap((page) =>
    [...proseOf(page).matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)`/g)].flatMap(([, name = '']) =>
      known.includes(name) || variables.includes(name) ? [] : [`${page.path}: ${name}`],
    ),
  )
  assert.equal(unknown, [])
})

it('give the reason for each dependency', () => {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly dependencies: object
    readonly peerDependencies: object
  } // npm reads it, too
  const { text } = pageOf('docs/decisions/package.md')
  assert.equal(
    Object.keys({ ...dependencies, ...peerDependencies }).filter((name) => !text.includes(`\`${name}\``)),
    [],
  )
})

const linksOf = (page: Page): readonly string[] =>
  [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link).filter((link) => !/^https?:/.test(link))

/** The files that a page leads to. */
const listedIn = (path: string): ReadonlySet<string> =>
  new Set(
    linksOf(pageOf(path)).map((link) => (link.startsWith('#') ? path : join(dirname(path), link.replace(/#.*/, '')))),
  )

const leadsSomewhere = (page: Page, link: string): boolean => {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page.path : join(dirname(page.path), path)
  if (!existsSync(target)) return false
  return anchor === undefined || !target.endsWith('.md') || anchorsOf(pageOf(target)).has(anchor)
}

it.run()
