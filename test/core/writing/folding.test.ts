import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import { beforeFirst } from '../../../core/log/chain.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { E } from '../../../core/prelude.ts'
import { erasure } from '../../../core/resources/erasure/erasure.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import type { Cell } from '../../../core/writing/cell.ts'
import { folding } from '../../../core/writing/folding.ts'
import { right, world } from '../world/world.ts'

const it = suite('folding')

it('ends, although the snapshot in memory is of another log, and from before an erasure', async () => {
  const w = await world({ resources: [...publicApi, ...erasure] })
  const { organizationId, storage, engine } = w
  const { userId } = await w.enrol('ada')
  await w.done(w.root, 'delete_users', { userIds: [userId] })
  await w.done(w.root, 'erase_user', { userId })
  let asked = 0
  const snapshotDrops: Storage['readModels']['snapshotDrops'] = (organization) => {
    assert.ok((asked += 1) < 9, 'it folds again and again')
    return storage.readModels.snapshotDrops(organization)
  }
  const { fold } = folding({
    storage: { ...storage, readModels: { ...storage.readModels, snapshotDrops } },
    digest: nodeDigest(),
    catalogue: engine.catalogue,
    tell: () => undefined,
    version: 'v',
  })
  const cellOf = (): Cell => Object.assign({} as Cell, { tip: beforeFirst, absorb: () => E.right(undefined) }) // all that a fold asks
  const snapshot = { organization: organizationId, sequence: 1n, hash: 'of another log', version: 'v', parts: [] }
  const last = { tip: beforeFirst, baseline: { snapshot, drops: 0n } }
  assert.is(right(await fold(organizationId, cellOf, last)).drops, 1n)
  await w.close()
})

it.run()
