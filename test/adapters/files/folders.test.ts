import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { makeFolder, removeFolders } from '../../../adapters/files/folders.ts'
import { folder } from '../cli/run-cli.ts'

const it = suite('folders that the command makes')

const cwd = folder()
const at = (name: string): string => join(cwd, name)
const modeOf = (name: string): number => statSync(at(name)).mode & 0o777

for (const mask of [0o000, 0o022, 0o277]) {
  it(`are for their owner alone, each that is made, where the umask is ${mask.toString(8)}`, async () => {
    if (process.platform === 'win32') return
    const name = `mask-${mask}`
    mkdirSync(at(name), { mode: 0o755 })
    const before = process.umask(mask)
    const made = await makeFolder(at(`${name}/a/b`)).finally(() => process.umask(before))
    assert.equal(made, [at(`${name}/a/b`), at(`${name}/a`)])
    assert.equal([modeOf(`${name}/a/b`), modeOf(`${name}/a`), modeOf(name)], [0o700, 0o700, 0o755])
  })
}

it('are removed as far as nothing is in them, and those that were there stay', async () => {
  mkdirSync(at('there'))
  const made = await makeFolder(at('there/a/b'))
  await removeFolders(made)
  assert.equal([existsSync(at('there')), existsSync(at('there/a'))], [true, false])

  const again = await makeFolder(at('there/a/b'))
  writeFileSync(at('there/a/file'), '')
  await removeFolders(again)
  assert.equal([existsSync(at('there/a/file')), existsSync(at('there/a/b'))], [true, false])
  assert.equal(await makeFolder(at('there/a')), [])
})

it('are all removed again where the last cannot be made', async () => {
  writeFileSync(at('file'), '')
  const failed = await makeFolder(at('file/a/b')).catch((error: unknown) => error)
  assert.match(String(failed), 'ENOTDIR')
  const name = 'x'.repeat(300)
  assert.match(String(await makeFolder(at(`c/${name}`)).catch((error: unknown) => error)), 'ENAMETOOLONG')
  assert.not.ok(existsSync(at('c')))
})

it('are made once by two at a time', async () => {
  const both = await Promise.all([makeFolder(at('both/a/b')), makeFolder(at('both/a/b'))])
  assert.equal(both.flat().toSorted(), [at('both'), at('both/a'), at('both/a/b')])
})

it.run()
