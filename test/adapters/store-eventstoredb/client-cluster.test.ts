import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { connectClient } from '../../../adapters/store-eventstoredb/client.ts'
import type { LogClient } from '../../../adapters/store-eventstoredb/log-client.ts'
import { until } from '../../until.ts'
import { startCluster, type Cluster } from './emulator/cluster.ts'
import { allTexts, anyEvent, appended } from './any-log.ts'

const it = suite('EventStoreDB client: cluster')

const atCluster = async (
  use: (world: { readonly cluster: Cluster; readonly client: LogClient }) => Promise<void>,
): Promise<void> => {
  const cluster = await startCluster()
  const client = await connectClient({ connectionString: cluster.connectionString })
  try {
    await use({ cluster, client })
  } finally {
    await client.close()
    await cluster.stop()
  }
}

it('goes to the new leader when another node is elected', () =>
  atCluster(async ({ cluster, client }) => {
    await client.append('s', 'none', [anyEvent('0')])
    cluster.elect()
    assert.is((await client.append('s', 0n, [anyEvent('1')])).revision, 1n)
    cluster.elect()
    assert.equal(await allTexts(client, 's'), ['0', '1'])
  }))

it('loses nothing when the leader is killed under load, and goes on with the next one', () =>
  atCluster(async ({ cluster, client }) => {
    const streams = Array.from({ length: 16 }, (_, index) => `s${index}`)
    let count = 0
    const writers = streams.map(async (stream) => {
      for (let index = 0; index < 60; index++) {
        await appended(client, stream, BigInt(index) - 1n, `${index}`)
        count += 1
      }
    })
    await until(() => count >= 100)
    await cluster.kill(cluster.leader() ?? 0)
    cluster.depose()
    await cluster.looked(5)
    cluster.elect()
    await Promise.all(writers)
    for (const stream of streams)
      assert.equal(
        await allTexts(client, stream),
        Array.from({ length: 60 }, (_, index) => `${index}`),
      )
  }))

it('finds the leader from a node that is none, and from one that only tells of the others', async () => {
  const cluster = await startCluster()
  const follower = cluster.nodes[(cluster.leader() ?? 0) + 1]
  for (const scheme of ['esdb', 'esdb+discover', 'kurrentdb', 'kurrentdb+discover']) {
    const client = await connectClient({ connectionString: `${scheme}://127.0.0.1:${follower?.port}?tls=false` })
    assert.is((await client.append(scheme, 'none', [anyEvent()])).revision, 0n)
    await client.close()
  }
  await cluster.stop()
})

it.run()
