import { existsSync, readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { temporaryFolder } from '../../temporary-folder.ts'
import { histories, shown } from './histories.ts'

const it = suite('histories of the bench')

const SIZE = { activities: 20, organizations: 3 }
const quiet = (): void => undefined

it('makes a history once, and finds it again in a folder that is kept', async () => {
  const { path, remove } = await temporaryFolder()
  const first = histories(path, quiet)
  assert.not(first.has(SIZE))
  const made = await first.of(SIZE)
  first.forget(SIZE)
  first.remove()
  const again = histories(path, quiet)
  assert.ok(again.has(SIZE))
  assert.equal(await again.of(SIZE), made)
  assert.ok(made.foldMs > 0)
  const lines = readFileSync(await again.exported(SIZE), 'utf8')
    .trim()
    .split('\n')
  assert.match(lines.at(-1) ?? '', '"events":48,"parts":27') // each request, and the root user of each organization
  await remove()
})

it('removes what nobody needs any more', async () => {
  const { of, forget, folder, remove } = histories(undefined, quiet)
  const { path } = await of(SIZE)
  assert.ok(existsSync(path))
  forget(SIZE)
  assert.not(existsSync(path))
  remove()
  assert.not(existsSync(folder))
})

it('says each tenth of a long work where there is no bar', async () => {
  const said: string[] = []
  const work = async (passed: (done: number) => void): Promise<string> => {
    for (let done = 0; done <= 100_000; done += 5_000) passed(done)
    return 'done'
  }
  const result = await shown('working', 100_000, (text) => said.push(text), work)
  assert.is(result, 'done')
  if (!process.stderr.isTTY) assert.equal([said.length, said[0], said[5]], [11, 'working', 'working: 50 %'])
})

it.run()
