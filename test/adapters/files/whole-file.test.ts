import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readWhole, removeWhole, writeWhole } from '../../../adapters/files/whole-file.ts'
import { folder } from '../cli/run-cli.ts'

const it = suite('a whole file')

const cwd = folder()
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

it('is written with its folders, for its owner alone', async () => {
  const path = join(cwd, 'a/b/file')
  await writeWhole(path, [bytes('one '), bytes('two')], 'new')
  assert.is(readFileSync(path, 'utf8'), 'one two')
  assert.is(statSync(path).mode & 0o777, 0o600)
  assert.equal(readdirSync(join(cwd, 'a/b')), ['file'])
})

it('replaces what was there, and what a killed run left beside it', async () => {
  const path = join(cwd, 'file')
  writeFileSync(path, 'before', { mode: 0o644 })
  writeFileSync(`${path}.tmp`, 'half')
  await writeWhole(path, [bytes('after')], 'replace')
  assert.is(readFileSync(path, 'utf8'), 'after')
  assert.is(statSync(path).mode & 0o777, 0o600)
  assert.not.ok(existsSync(`${path}.tmp`))
})

it('is left as it was where writing breaks off', async () => {
  const path = join(cwd, 'kept')
  await writeWhole(path, [bytes('before')], 'new')
  const broken = async function* (): AsyncGenerator<Uint8Array> {
    yield bytes('half')
    throw await Promise.resolve(new Error('the source broke'))
  }
  const error = await writeWhole(path, broken(), 'replace').catch((thrown: unknown) => thrown)
  assert.match(String(error), 'the source broke')
  assert.is(readFileSync(path, 'utf8'), 'before')
  assert.not.ok(existsSync(`${path}.tmp`))
})

it('is not put where another has come meanwhile', async () => {
  const path = join(cwd, 'late')
  const late = async function* (): AsyncGenerator<Uint8Array> {
    yield bytes('mine')
    await Promise.resolve()
    writeFileSync(path, 'theirs')
  }
  const error = await writeWhole(path, late(), 'new').catch((thrown: unknown) => thrown)
  assert.match(String(error), /cannot write .*late: it exists already/)
  assert.is(readFileSync(path, 'utf8'), 'theirs')
  assert.not.ok(existsSync(`${path}.tmp`))
})

it('is not mistaken for what another process writes at the same time', async () => {
  const path = join(cwd, 'twice')
  const overtaken = async function* (): AsyncGenerator<Uint8Array> {
    yield bytes('mine')
    await Promise.resolve()
    writeFileSync(`${path}.other`, 'theirs')
    renameSync(`${path}.other`, `${path}.tmp`)
  }
  const error = await writeWhole(path, overtaken(), 'replace').catch((thrown: unknown) => thrown)
  assert.match(String(error), /cannot write .*twice: another process is writing it/)
  assert.equal([existsSync(path), readFileSync(`${path}.tmp`, 'utf8')], [false, 'theirs'])
})

it('takes the folders with it that were made for it, where writing breaks off', async () => {
  const broken = async function* (): AsyncGenerator<Uint8Array> {
    yield bytes('half')
    throw await Promise.resolve(new Error('the source broke'))
  }
  await writeWhole(join(cwd, 'never/made/file'), broken(), 'new').catch(() => undefined)
  assert.not.ok(existsSync(join(cwd, 'never')))
})

it('says in one line why it cannot be written or read', async () => {
  mkdirSync(join(cwd, 'taken'))
  const written = await writeWhole(join(cwd, 'taken'), [bytes('x')], 'replace').catch((thrown: unknown) => thrown)
  assert.match(String(written), /cannot write .*taken: it is a directory/)
  const read = await readWhole(join(cwd, 'taken')).catch((thrown: unknown) => thrown)
  assert.match(String(read), /cannot read .*taken: it is a directory/)
})

it('is nothing where there is none, and can be removed twice', async () => {
  const path = join(cwd, 'gone')
  await writeWhole(path, [bytes('x')], 'new')
  await removeWhole(path)
  await removeWhole(path)
  assert.is(await readWhole(path), undefined)
})

it.run()
