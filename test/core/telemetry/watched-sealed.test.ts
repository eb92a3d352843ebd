import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failsWith, right, same } from '../../../adapters/testing/expect.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { failure, type Failure } from '../../../core/failure.ts'
import type { Notice } from '../../../core/ports/notice.ts'
import type { SealedRows } from '../../../core/ports/sealed-rows.ts'
import { E, type TE } from '../../../core/prelude.ts'
import { withCause } from '../../../core/telemetry/cause.ts'
import { watchedStorage } from '../../../core/telemetry/watched-storage.ts'
import { systemClock } from '../../../adapters/clock/system-clock.ts'
import { sealedOf } from '../../sealed-of.ts'

const it = suite('watched sealed rows')

const row = { organization: 'acme', id: 'a', kind: 'wallet', dataKey: 'wrapped', bytes: Uint8Array.of(1) }

const watched = (sealed: SealedRows | undefined) => {
  const notices: Notice[] = []
  const storage = { ...memoryStore(), sealed }
  const ports = { clock: systemClock(), tell: (notice: Notice) => void notices.push(notice) }
  return { notices, ...watchedStorage(ports, storage) }
}

it('are those of the storage, also of an instance of a class, and none where it has none', async () => {
  assert.is(watched(undefined).sealed, undefined)
  const own = memoryStore().sealed
  const { store, ...watching } = watched(Object.setPrototypeOf({}, own ?? {}) as SealedRows)
  const sealed = sealedOf(watching)
  same(await right(sealed.put(row)), 'put')
  same(await right(sealed.replace(row, { ...row, kind: 'user' })), true)
  same(await right(sealed.get(row)), { ...row, kind: 'user' })
  await right(sealed.delete(row))
  await right(sealed.deleteAll('other'))
  same(await right(sealed.list(undefined, 9)), [
    { organization: 'acme', id: 'a', isGone: true },
    { organization: 'other', id: '', isGone: true },
  ])
  await store.close()
})

it('tell the operator of writes and reads that fail', async () => {
  const full = withCause(failure('UNAVAILABLE', 'the disk is full'), () => ({ file: '/data/a.db' }))
  const fails = () => async () => E.left(full)
  const { notices, store, ...watching } = watched({
    ...{ put: fails, get: fails, replace: fails, delete: fails, deleteAll: fails, list: fails },
  })
  const { put, get, replace, delete: remove, deleteAll, list } = sealedOf(watching)
  const tasks: readonly TE.TaskEither<Failure, unknown>[] = [
    ...[put(row), replace(row, row), remove(row), deleteAll('acme')],
    ...[get(row), list(undefined, 1)],
  ]
  for (const task of tasks) await failsWith('UNAVAILABLE', task)
  assert.equal(
    notices.map(({ message }) => message),
    ['the store takes no writes: the disk is full', 'the store cannot be read: the disk is full'],
  )
  await store.close()
})

it.run()
