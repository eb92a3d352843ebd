import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startCluster, type Cluster } from './emulator/cluster.ts'
import { givenCluster } from './emulator/given-cluster.ts'
import { sampled } from '../../long.ts'
import { busyEngines, type Busy, type BusyFigures } from './busy-engines.ts'

const it = suite('engines on a cluster of EventStoreDB')

const goneOn = ({ acknowledged, lost, duplicates, stale }: BusyFigures, atLeast: number): void => {
  assert.equal({ lost, duplicates, stale }, { lost: 0, duplicates: 0, stale: 0 })
  assert.ok(acknowledged >= atLeast, `${acknowledged} acknowledged`)
}

const killLeader = (cluster: Cluster): Promise<void> => cluster.kill(cluster.leader() ?? 0)
/** Nobody leads until the engines have asked for it some times. */
const elect = async (cluster: Cluster, index?: number): Promise<void> => {
  cluster.depose()
  await cluster.looked(10)
  cluster.elect(index)
}

const disturbances: { readonly [name: string]: (cluster: Cluster, busy: Busy) => Promise<void> } = {
  'the leader is killed': async (cluster) => {
    await killLeader(cluster)
    await elect(cluster)
  },
  'the leader is killed, and the others hand writes on to it for a while': async (cluster) => {
    await killLeader(cluster)
    await cluster.looked(3)
    await elect(cluster)
  },
  'the leader changes, three times, and connections stay': async (cluster, busy) => {
    for (let times = 0; times < 3; times += 1) {
      cluster.elect()
      await busy.acknowledged(4)
    }
  },
  'nobody leads for a while': (cluster) => elect(cluster, 2),
  'one node after the other is killed and started again': async (cluster, busy) => {
    for (const index of cluster.nodes.keys()) {
      const hasLed = cluster.leader() === index
      await cluster.kill(index)
      if (hasLed) await elect(cluster)
      await busy.acknowledged(4)
      await cluster.restart(index)
      await busy.acknowledged(4)
    }
  },
}

const register = sampled<string>(it, 'the leader is killed')
for (const [name, happens] of Object.entries(disturbances))
  register(name, `lose and double nothing, show everything, and go on while ${name}`, async () => {
    const cluster = await startCluster()
    const figures = await busyEngines({
      connectionString: cluster.connectionString,
      writers: 4,
      tagsEach: 8,
      disturb: async (busy) => {
        await busy.acknowledged(8)
        await happens(cluster, busy)
        await busy.acknowledged(4)
      },
    })
    await cluster.stop()
    goneOn(figures, 32)
  })

const given = givenCluster()
if (typeof given === 'string') {
  it.skip(given, () => undefined)
  console.log(`Tests that kill nodes of a real EventStoreDB are left out: ${given}`)
} else
  it('lose and double nothing, show everything, and go on while the leader of a real cluster is killed', async () => {
    const figures = await busyEngines({
      connectionString: given.connectionString,
      writers: 8,
      tagsEach: 50,
      disturb: async (busy) => {
        await busy.acknowledged(100)
        const leader = await given.leader()
        await given.run('kill', leader)
        await busy.acknowledged(100)
        await given.run('start', leader)
      },
    })
    console.log(`killed the leader of a real cluster: ${JSON.stringify(figures)}`)
    goneOn(figures, 400)
  })

it.run()
