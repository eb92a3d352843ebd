import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { putInPlace } from './put-in-place.ts'

const it = suite('a build put in its place')

const root = mkdtempSync(join(tmpdir(), 'countersign-build-'))
it.after(() => rmSync(root, { recursive: true, force: true }))

/** The second of each build stands for the time at which it began, and at which its files were written. */
const build = (place: string, second: number, names: readonly string[], anew = false): void => {
  const made = mkdtempSync(join(root, 'made-'))
  for (const name of names) {
    mkdirSync(dirname(join(made, name)), { recursive: true })
    writeFileSync(join(made, name), `${name} of ${second}`)
    utimesSync(join(made, name), second, second)
  }
  const last = { path: join(place, 'bin/last'), text: 'done', begun: new Date(second * 1_000) }
  putInPlace({ made, place, entries: ['bin/main.js', 'console/files.json'], last, anew })
}

const filesOf = (place: string, folder = 'bin'): readonly string[] => readdirSync(join(place, folder)).toSorted()

it('takes the place of the files before it, and leaves those that a running program may load, for one build', () => {
  const place = join(root, 'dist')
  build(place, 10, ['bin/main.js', 'bin/part-1.js'])
  build(place, 20, ['bin/main.js', 'bin/part-2.js'])
  assert.equal(filesOf(place), ['last', 'main.js', 'part-1.js', 'part-2.js'])
  assert.is(readFileSync(join(place, 'bin/main.js'), 'utf8'), 'bin/main.js of 20')
  build(place, 30, ['bin/main.js', 'bin/part-3.js'])
  assert.equal(filesOf(place), ['last', 'main.js', 'part-2.js', 'part-3.js'])
})

it('does so in each of its folders', () => {
  const place = join(root, 'folders')
  build(place, 10, ['bin/main.js', 'console/files.json', 'console/page-1.js'])
  build(place, 20, ['bin/main.js', 'console/files.json', 'console/page-2.js'])
  assert.equal(filesOf(place, 'console'), ['files.json', 'page-1.js', 'page-2.js'])
  build(place, 30, ['bin/main.js', 'console/files.json', 'console/page-2.js'])
  assert.equal(filesOf(place, 'console'), ['files.json', 'page-2.js'])
  assert.is(readFileSync(join(place, 'console/files.json'), 'utf8'), 'console/files.json of 30')
})

it('leaves nothing of before where that is wanted', () => {
  const place = join(root, 'packed')
  build(place, 10, ['bin/main.js', 'bin/part-1.js'])
  build(place, 20, ['bin/main.js'], true)
  assert.equal(filesOf(place), ['last', 'main.js'])
})

it('is as old as its beginning, so that what was changed meanwhile is built again', () => {
  const place = join(root, 'changed')
  build(place, 10, ['bin/main.js'])
  assert.is(statSync(join(place, 'bin/last')).mtimeMs, 10_000)
})

it.run()
