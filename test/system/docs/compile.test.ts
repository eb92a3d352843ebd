import { mkdtempSync, readdirSync, rmSync, symlinkSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compile } from '../../compiler.ts'
import { blocksOf, pageOf } from './markdown.ts'
import { FILES, modules } from './modules.ts'

const it = suite('the code in the documents')

it('compiles', () => {
  const host = mkdtempSync(join(tmpdir(), 'countersign-docs-'))
  process.once('exit', () => rmSync(host, { recursive: true, force: true }))
  mkdirSync(join(host, 'node_modules'))
  for (const name of readdirSync('node_modules').filter((name) => !name.startsWith('.')))
    symlinkSync(resolve('node_modules', name), join(host, 'node_modules', name))
  symlinkSync(resolve('.'), join(host, 'node_modules/countersign'))
  writeFileSync(join(host, 'package.json'), '{ "type": "module" }')
  const written = modules().map(({ name, text }) => {
    writeFileSync(join(host, `${name}.ts`), text)
    return `${name}.ts`
  })
  assert.ok(written.length > 5)
  const names = blocksOf(pageOf(FILES)).flatMap(({ language, code }) => {
    const [, name] = /^\/\/ (\S+\.ts)\n/.exec(code) ?? []
    if (language !== 'ts' || name === undefined) return []
    mkdirSync(join(host, 'mount', dirname(name)), { recursive: true })
    // Next resolves names as bundlers do.
    writeFileSync(join(host, 'mount', name), code.replace("'../../../engine'", "'../../../engine.ts'"))
    return [`mount/${name}`]
  })
  assert.ok(names.length > 5)
  const flags = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--skipLibCheck',
    '--allowImportingTsExtensions',
    '--types',
    'node',
  ]
  assert.is(compile(host, [...flags, ...written, ...names]), '')
})

it.run()
