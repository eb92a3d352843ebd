import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { memoryStore } from '../../../../adapters/store-memory/index.ts'
import { failure, type Failure, type Json } from '../../../../core/failure.ts'
import { TE } from '../../../../core/prelude.ts'
import { inTime, until } from '../../world/under-way.ts'
import { beginBelow, right, world, type Place, type World } from '../../world/world.ts'
import { makeKeys, makeWallet, privateKey, sealedIn } from './wallet-world.ts'
import { sealedOf } from '../../../sealed-of.ts'

const it = suite('the destruction of secrets')

/** A store that deletes so many sealed rows, and then none for as long as it is told. */
const stubborn = () => {
  const storage = memoryStore()
  const sealed = sealedOf(storage)
  const status = { isStubborn: true, refusals: 0, deletesBefore: 1 }
  const unless =
    <A>(remove: (which: A) => TE.TaskEither<Failure, void>) =>
    (which: A): TE.TaskEither<Failure, void> =>
    () => {
      if (!status.isStubborn || status.deletesBefore-- > 0) return remove(which)()
      status.refusals += 1
      return TE.left(failure('UNAVAILABLE', 'the store does not answer'))()
    }
  const stopped = { delete: unless(sealed.delete), deleteAll: unless(sealed.deleteAll) }
  return { store: { ...storage, sealed: { ...sealed, ...stopped } }, status }
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

/** Submits a deletion that the store lets go half-way only; gives what tells when it has ended. */
const halfDone = async (w: World, place: Place, path: string, parameters: Json) => {
  const { id, status } = right(await inTime(w.clock, place.submit(place.root, path, parameters), 1))
  assert.is(status, 'ACTIVITY_STATUS_PENDING')
  return async (): Promise<string> => {
    await until(async () => {
      w.clock.pass(60 * 60 * 1000)
      return right(await w.engine.replayActivity(place.organizationId, id)()).state?.status !== status
    })
    return right(await w.engine.replayActivity(place.organizationId, id)()).state?.status ?? ''
  }
}

it('ends with the deletion, also where another one has deleted some of the same meanwhile', async () => {
  const { store, status } = stubborn()
  const w = await world({ store, waitForEffectsMs: 1 })
  const [first, second] = [await makeWallet(w, 'first'), await makeWallet(w, 'second')]
  const ended = await halfDone(w, w, 'delete_wallets', {
    walletIds: [first.walletId, second.walletId],
    deleteWithoutExport: true,
  })
  await until(() => status.refusals > 0)
  status.isStubborn = false
  const others = w.submit(w.root, 'delete_wallets', { walletIds: [second.walletId], deleteWithoutExport: true })
  assert.is(right(await inTime(w.clock, others, 0)).status, 'ACTIVITY_STATUS_COMPLETED')
  assert.is(await ended(), 'ACTIVITY_STATUS_COMPLETED')
  assert.equal((await w.answer(w.root, 'list_wallets')).wallets, [])
  await w.close()
})

it('ends with the organization, also where a wallet has come meanwhile that nobody has exported', async () => {
  const { store, status } = stubborn()
  status.deletesBefore = 0
  const w = await world({ store, waitForEffectsMs: 1 })
  const child = await beginBelow(w, w)
  const ended = await halfDone(w, child, 'delete_sub_organization', {})
  await until(() => status.refusals > 0)
  await makeWallet(child, 'late')
  status.isStubborn = false
  assert.is(await ended(), 'ACTIVITY_STATUS_COMPLETED')
  assert.equal((await w.answer(w.root, 'list_suborgs')).organizationIds, [])
  await w.close()
})

it.run()
