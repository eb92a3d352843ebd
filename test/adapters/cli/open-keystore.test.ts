import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { defaultPlace, openKeystore, placeOf } from '../../../adapters/cli/open-keystore.ts'
import { Stop } from '../../../adapters/cli/stop.ts'
import { right } from '../../../adapters/testing/expect.ts'
import type { Notice } from '../../../core/ports/notice.ts'
import { folder } from './run-cli.ts'

const it = suite('the keystore of a store')

const dataKey = Buffer.alloc(32, 7)

it('is a place that the flag names, and nothing else', () => {
  assert.equal(placeOf('file:a:b c'), { _tag: 'file', path: 'a:b c' })
  assert.equal(placeOf('env:KEYS'), { _tag: 'env', name: 'KEYS' })
  for (const wrong of ['', 'file:', 'env:', 'keystore', 'csk1_secret', 'FILE:a'])
    assert.throws(
      () => placeOf(wrong),
      (error: unknown) => error instanceof Stop && !/secret/.test(error.message),
    )
})

it('is by default beside an SQLite store, made when it first wraps and with a notice; in memory with one in memory; else none', async () => {
  const path = join(folder(), 'store.db')
  const notices: Notice[] = []
  const open = (store: string) => openKeystore(undefined, store, (notice) => notices.push(notice))
  const keystore = await open(`sqlite:${path}`)
  assert.not.ok(existsSync(`${path}.keystore`))
  const wrapped = keystore && (await right(keystore.wrap(dataKey)))
  assert.equal(
    [existsSync(`${path}.keystore`), notices.map(({ level, context }) => [level, context])],
    [true, [['info', { path: `${path}.keystore` }]]],
  )
  const again = await open(`sqlite:${path}`)
  assert.is(Buffer.compare((again && (await right(again.unwrap(wrapped ?? '')))) ?? Buffer.alloc(0), dataKey), 0)

  const inMemory = await open('memory:')
  const own = inMemory && (await right(inMemory.wrap(dataKey)))
  assert.is(Buffer.compare((inMemory && (await right(inMemory.unwrap(own ?? '')))) ?? Buffer.alloc(0), dataKey), 0)
  for (const store of ['postgres://db.example/a', 'esdb://log.example']) assert.is(await open(store), undefined, store)
  assert.equal([defaultPlace('memory:'), defaultPlace('esdb://log.example')], [undefined, undefined])
  assert.equal([notices.length, readdirSync(join(path, '..'))], [1, ['store.db.keystore']])
})

it.run()
