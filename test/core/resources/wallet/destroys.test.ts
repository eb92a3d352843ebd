import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { memoryStore } from '../../../../adapters/store-memory/index.ts'
import { failure } from '../../../../core/failure.ts'
import { TE } from '../../../../core/prelude.ts'
import { inTime, until } from '../../world/under-way.ts'
import { right, world } from '../../world/world.ts'
import { makeKeys, makeWallet, privateKey, sealedIn } from './wallet-world.ts'
import { sealedOf } from '../../../sealed-of.ts'

const it = suite('the destruction of secrets')

/** A store that deletes so many sealed rows, and then none for as long as it is told. */
const stubborn = () => {
  const storage = memoryStore()
  const sealed = sealedOf(storage)
  const status = { isStubborn: true, refusals: 0, deletesBefore: 1 }
  const remove: typeof sealed.delete = (place) => () => {
    if (status.isStubborn && status.deletesBefore-- <= 0) {
      status.refusals += 1
      return TE.left(failure('UNAVAILABLE', 'the store does not answer'))()
    }
    return sealed.delete(place)()
  }
  return { store: { ...storage, sealed: { ...sealed, delete: remove } }, status }
}

it('goes on until it is done, where the store failed half-way, and only then the keys are gone', async () => {
  const { store, status } = stubborn()
  const w = await world({ store, waitForEffectsMs: 1 })
  const keys = await makeKeys(w, privateKey('one'), privateKey('two'), privateKey('three'))
  const { walletId } = await makeWallet(w, 'savings')
  const privateKeyIds = keys.map(({ privateKeyId }) => privateKeyId)
  const started = right(
    await inTime(w.clock, w.submit(w.root, 'delete_private_keys', { privateKeyIds, deleteWithoutExport: true }), 1),
  )
  assert.is(started.status, 'ACTIVITY_STATUS_PENDING')
  await until(() => {
    w.clock.pass(60 * 60 * 1000)
    return status.refusals > 3
  })
  const answer = async () => (await w.answer(w.root, 'list_private_keys')).privateKeys as readonly unknown[] // as defined
  assert.is((await answer()).length, 3)
  status.isStubborn = false
  await until(async () => {
    w.clock.pass(60 * 60 * 1000)
    const { activity } = await w.answer(w.root, 'get_activity', { activityId: started.id })
    return (activity as typeof started).status === 'ACTIVITY_STATUS_COMPLETED' // as the query defines it
  })
  assert.equal(await answer(), [])
  const left = (await sealedIn(w.storage)).filter((row) => !('isGone' in row))
  assert.equal(left.map(({ id }) => id), [walletId]) // prettier-ignore
  await w.close()
})

it.run()
