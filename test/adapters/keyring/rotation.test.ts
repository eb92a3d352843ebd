import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { newKey, wrapperOf } from '../../../adapters/keyring/keystore-keys.ts'
import { othersNeeded, rotate } from '../../../adapters/keyring/rotation.ts'
import { failsWith, right } from '../../../adapters/testing/expect.ts'
import { failure } from '../../../core/failure.ts'
import type { KeyPath } from '../../../core/ports/keyring.ts'
import type { SealedRow, SealedRows } from '../../../core/ports/sealed-rows.ts'
import { TE } from '../../../core/prelude.ts'
import { keyringOn, keystoreWith, place, sealedInMemory, withKeyring } from './keyring-under-test.ts'

const it = suite('rotation')

const path: KeyPath = { curve: 'CURVE_ED25519', path: 'm' }
const [older, newer] = [newKey(), newKey()]
const names = ['a', 'b', 'c', 'd', 'e']
const rotating = (rows: SealedRows) => ({ rows, keystore: keystoreWith(newer, older), keyId: newer.id })

/** Rows that were sealed under the older key, and their public keys. */
const sealedBefore = async () => {
  const rows = sealedInMemory()
  await withKeyring(keyringOn(rows, keystoreWith(older)), async (keyring) => {
    for (const keyId of names) await right(keyring.makeSeed({ ...place, keyId }, 12))
  })
  return rows
}
const rowsOf = async (rows: SealedRows): Promise<readonly SealedRow[]> =>
  (await right(rows.list(undefined, 100))).flatMap((entry) => ('isGone' in entry ? [] : [entry]))
const wrappers = async (rows: SealedRows) => (await rowsOf(rows)).map(({ dataKey }) => wrapperOf(dataKey))

it('seals all rows anew under one data key of the first key, and they are the same keys', async () => {
  const rows = await sealedBefore()
  assert.equal(await right(othersNeeded(rows, newer.id)), new Set([older.id]))
  assert.equal(await right(rotate(rotating(rows))), { resealed: 5, unreadable: 0 })
  assert.equal(await right(othersNeeded(rows, newer.id)), new Set())
  assert.is(new Set((await rowsOf(rows)).map(({ dataKey }) => dataKey)).size, 1)
  await withKeyring(keyringOn(rows, keystoreWith(newer)), async (keyring) => {
    for (const keyId of names) assert.is((await right(keyring.publicKeys({ ...place, keyId }, [path]))).length, 1)
  })
  assert.equal(await right(rotate(rotating(rows))), { resealed: 0, unreadable: 0 })
})

it('goes on where it has stopped', async () => {
  const rows = await sealedBefore()
  let left = 2
  const failing: SealedRows = {
    ...rows,
    replace: (row, by) => (left-- > 0 ? rows.replace(row, by) : TE.left(failure('UNAVAILABLE', 'the disk is full'))),
  }
  await failsWith('UNAVAILABLE', rotate(rotating(failing)))
  assert.equal(await wrappers(rows), [newer.id, newer.id, older.id, older.id, older.id])
  assert.equal(await right(rotate(rotating(rows))), { resealed: 3, unreadable: 0 })
})

it('leaves a row alone that is deleted meanwhile, and reads one again that is replaced', async () => {
  const rows = await sealedBefore()
  const replacedMeanwhile = await right(rows.get({ organization: place.organizationId, id: 'c' }))
  let calls = 0
  const meanwhile: SealedRows = {
    ...rows,
    replace: (row, by) => async () => {
      calls += 1
      if (calls === 1) await right(rows.delete(row))
      if (calls === 2) await right(rotate({ ...rotating(rows), keystore: keystoreWith(older), keyId: 'none' }))
      return rows.replace(row, by)()
    },
  }
  const { resealed } = await right(rotate(rotating(meanwhile)))
  assert.is(resealed, 4)
  assert.is(await right(rows.get({ organization: place.organizationId, id: 'a' })), undefined)
  assert.equal(await wrappers(rows), [newer.id, newer.id, newer.id, newer.id])
  assert.not.equal(await right(rows.get({ organization: place.organizationId, id: 'c' })), replacedMeanwhile)
})

it('leaves rows alone that have nothing sealed, and opens none of them at a start', async () => {
  const rows = await sealedBefore()
  const taken = { organization: '', id: 'a', kind: 'taken', dataKey: '', bytes: Uint8Array.of(1) }
  await right(rows.put(taken))
  assert.equal(await right(rotate(rotating(rows))), { resealed: 5, unreadable: 0 })
  assert.equal(await right(rows.get(taken)), taken)
  await withKeyring(keyringOn(rows, keystoreWith(newer)), (keyring) => right(keyring.check))
})

it('counts a row that was changed, seals the others, and stops where the keystore has not a key', async () => {
  const rows = await sealedBefore()
  const [first] = await rowsOf(rows)
  if (first === undefined) throw new Error('expected rows')
  await right(rows.replace(first, { ...first, kind: 'private-key' }))
  const done = await right(rotate(rotating(rows)))
  assert.equal(done, { resealed: 4, unreadable: 1 })
  assert.is(done.resealed + done.unreadable, 5) // each was looked at
  assert.equal(await right(othersNeeded(rows, newer.id)), new Set([older.id]))
  await failsWith('CONFIGURATION_INVALID', rotate({ rows, keystore: keystoreWith(newer), keyId: newer.id }))
})

it.run()
