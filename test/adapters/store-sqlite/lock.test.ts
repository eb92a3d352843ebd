import { existsSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { once } from 'node:events'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openSqliteStore } from '../../../adapters/store-sqlite/open.ts'
import { anyCommit } from '../../../adapters/testing/any.ts'
import { failsWith, right } from '../../../adapters/testing/expect.ts'
import { closed } from '../../../adapters/testing/store-case.ts'
import { until } from '../../until.ts'
import { childWriter, folder } from './any-file.ts'

const it = suite<{ directory: string; path: string }>('SQLite store: lock')

it.before.each(async (context) => {
  context.directory = await folder.make()
  context.path = join(context.directory, 'store.db')
})
it.after.each(({ directory }) => folder.remove(directory))

it('refuses a second writing process, lets it read, and is free after SIGKILL', async ({ path }) => {
  const writer = childWriter(path)
  await once(writer.stdout, 'data')

  const refused = await openSqliteStore({ path })()
  assert.is(refused._tag === 'Left' && refused.left.code, 'STORE_LOCKED')
  assert.match(refused._tag === 'Left' ? refused.left.message : '', /another process/)

  const reading = await right(openSqliteStore({ path, readOnly: true }))
  const before = await right(reading.store.lastPosition())
  while ((await right(reading.store.lastPosition())) === before) await once(writer.stdout, 'data')
  await closed(reading)

  writer.kill('SIGKILL')
  await once(writer, 'exit')
  await closed(await right(openSqliteStore({ path })))
})

it('says who holds it: this process, or another one and which', async ({ path }) => {
  const messageOf = async (): Promise<string> => {
    const refused = await openSqliteStore({ path })()
    return refused._tag === 'Left' ? refused.left.message : 'opened'
  }
  const own = await right(openSqliteStore({ path }))
  const here = 'this process has the store open for writing already: use that engine, or close it first'
  assert.is(await messageOf(), `cannot open the store ${path}: ${here}`)
  await closed(own)

  const writer = childWriter(path)
  await once(writer.stdout, 'data')
  const pid = existsSync('/proc/locks') ? ` (its pid is ${writer.pid})` : ''
  const there = `another process writes to this store${pid}: end it, or open the store for reading only`
  assert.is(await messageOf(), `cannot open the store ${path}: ${there}`)
  writer.kill('SIGKILL')
  await once(writer, 'exit')
})

it('is still held by its process after somebody has asked who holds it', async ({ path }) => {
  const writer = childWriter(path)
  await once(writer.stdout, 'data')
  for (let n = 0; n < 3; n += 1) await failsWith('STORE_LOCKED', openSqliteStore({ path }))
  writer.kill('SIGKILL')
  await once(writer, 'exit')
  const own = await right(openSqliteStore({ path }))
  for (let n = 0; n < 3; n += 1) await failsWith('STORE_LOCKED', openSqliteStore({ path }))
  await right(own.store.append([anyCommit()]))
  await closed(own)
})

it('is the same lock by whatever name the file is called', async ({ directory, path }) => {
  const storage = await right(openSqliteStore({ path }))
  await symlink(path, join(directory, 'link.db'))
  await symlink(directory, `${directory}-link`)
  await failsWith('STORE_LOCKED', openSqliteStore({ path: join(directory, 'link.db') }))
  await failsWith('STORE_LOCKED', openSqliteStore({ path: join(`${directory}-link`, 'store.db') }))
  await folder.remove(`${directory}-link`)
  await closed(storage)
  await closed(await right(openSqliteStore({ path: join(directory, 'link.db') })))
})

it('cannot write what it opened for reading', async ({ path }) => {
  const storage = await right(openSqliteStore({ path }))
  await right(storage.store.append([anyCommit()]))
  const reading = await right(openSqliteStore({ path, readOnly: true }))
  await failsWith('CONFIGURATION_INVALID', reading.store.append([anyCommit()]))
  await failsWith('CONFIGURATION_INVALID', reading.readModels.move('p', 0n, 1n, []))
  await failsWith('CONFIGURATION_INVALID', reading.store.eraseParts('a', [{ sequence: 1n, name: 'request' }]))
  assert.is(await right(reading.store.lastPosition()), 1n)
  await closed(reading)
  await closed(storage)
})

it('does not make a file for reading, nor a folder for writing', async ({ directory, path }) => {
  await failsWith('STORE_UNREADABLE', openSqliteStore({ path, readOnly: true }))
  assert.not.ok(existsSync(path))
  await failsWith('STORE_UNREADABLE', openSqliteStore({ path: join(directory, 'nowhere', 'store.db') }))
})

it('tells those who watch for reading of what another handle wrote', async ({ path }) => {
  const storage = await right(openSqliteStore({ path }))
  const reading = await right(openSqliteStore({ path, readOnly: true, pollIntervalMs: 5 }))
  let heard = 0
  reading.store.watch(() => (heard += 1))
  await right(storage.store.append([anyCommit()]))
  await until(() => heard > 0)
  assert.is(await right(reading.store.lastPosition()), 1n)
  await closed(reading)
  await closed(storage)
})

it('opens paths with any characters', async ({ directory }) => {
  const path = join(directory, 'a b#?%20é.db')
  const storage = await right(openSqliteStore({ path }))
  await right(storage.store.append([anyCommit()]))
  assert.is(await right(storage.store.lastPosition()), 1n)
  await closed(storage)
  assert.ok(existsSync(path))
})

it.run()
