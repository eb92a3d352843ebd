import { mkdtempSync, readdirSync, rmSync, symlinkSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compile } from '../compiler.ts'
import { blocksOf, pages, type Page } from './markdown.ts'

const it = suite('the code in the documents')

/** The blocks of a page are one module: what is defined in one is used in the next. Those of the README stand alone. */
const modulesOf = (page: Page): readonly string[] => {
  const blocks = blocksOf(page).filter(({ language }) => language === 'ts')
  const texts = blocks.map(({ code }) => code)
  return page.path === 'README.md' || texts.length === 0 ? texts : [texts.join('\n')]
}

it('compiles', () => {
  const host = mkdtempSync(join(tmpdir(), 'countersign-docs-'))
  process.once('exit', () => rmSync(host, { recursive: true, force: true }))
  mkdirSync(join(host, 'node_modules'))
  for (const name of readdirSync('node_modules').filter((name) => !name.startsWith('.')))
    symlinkSync(resolve('node_modules', name), join(host, 'node_modules', name))
  symlinkSync(resolve('.'), join(host, 'node_modules/countersign'))
  writeFileSync(join(host, 'package.json'), '{ "type": "module" }')
  const written = pages().flatMap((page) =>
    modulesOf(page).map((text, index) => {
      const name = `${page.path.replaceAll(/[/.]/g, '-')}-${index}.ts`
      writeFileSync(join(host, name), `${text}\nexport {}\n`)
      return name
    }),
  )
  assert.ok(written.length > 5)
  const flags = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--skipLibCheck',
    '--types',
    'node',
  ]
  assert.is(compile(host, [...flags, ...written]), '')
})

it.run()
