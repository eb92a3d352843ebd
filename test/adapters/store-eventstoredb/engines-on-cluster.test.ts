import { setTimeout as pause } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startCluster, type Cluster, type ClusterOptions } from './emulator/cluster.ts'
import { givenCluster } from './emulator/given-cluster.ts'
import { sampled } from '../../long.ts'
import { busyEngines, type BusyFigures } from './busy-engines.ts'

const it = suite('engines on a cluster of EventStoreDB')

const goneOn = ({ acknowledged, lost, duplicates, longestGapMs, stale }: BusyFigures, atLeast: number): void => {
  assert.equal({ lost, duplicates, stale }, { lost: 0, duplicates: 0, stale: 0 })
  assert.ok(acknowledged >= atLeast, `${acknowledged} acknowledged`)
  assert.ok(longestGapMs < 10_000, `nothing was acknowledged for ${longestGapMs} ms`)
}

type Disturbance = ClusterOptions & { readonly happens: (cluster: Cluster) => Promise<void> }

const disturbances: { readonly [name: string]: Disturbance } = {
  'the leader is killed': {
    happens: async (cluster) => {
      await cluster.kill(cluster.leader() ?? 0)
    },
  },
  'the leader is killed, and the others hand writes on to it for a while': {
    noticeMs: 800,
    happens: async (cluster) => {
      await cluster.kill(cluster.leader() ?? 0)
    },
  },
  'the leader changes, three times, and connections stay': {
    happens: async (cluster) => {
      for (let times = 0; times < 3; times += 1) {
        cluster.elect()
        await pause(300)
      }
    },
  },
  'nobody leads for a while': {
    happens: async (cluster) => {
      cluster.depose()
      await pause(700)
      cluster.elect(2)
    },
  },
  'one node after the other is killed and started again': {
    happens: async (cluster) => {
      for (const index of cluster.nodes.keys()) {
        await cluster.kill(index)
        await pause(300)
        await cluster.restart(index)
        await pause(300)
      }
    },
  },
}

const register = sampled<string>(it, 'the leader is killed')
for (const [name, { happens, ...options }] of Object.entries(disturbances))
  register(name, `lose and double nothing, show everything, and go on while ${name}`, async () => {
    const cluster = await startCluster({ electionMs: 300, ...options })
    const figures = await busyEngines({
      connectionString: cluster.connectionString,
      writers: 4,
      tagsEach: 8,
      disturb: async () => {
        await pause(300)
        await happens(cluster)
        await pause(500)
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
      disturb: async () => {
        await pause(2_000)
        const leader = await given.leader()
        await given.run('kill', leader)
        await pause(12_000)
        await given.run('start', leader)
      },
    })
    console.log(`killed the leader of a real cluster: ${JSON.stringify(figures)}`)
    goneOn(figures, 400)
  })

it.run()
