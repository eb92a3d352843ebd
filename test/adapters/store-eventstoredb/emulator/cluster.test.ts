import { EventStoreDBClient } from '@eventstore/db-client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../../../until.ts'
import { startCluster, type Cluster } from './cluster.ts'
import { appendAt, collected, failureOf, textOf, whenBehind } from './with-client.ts'

const it = suite('cluster of the EventStoreDB emulator')

type World = {
  readonly cluster: Cluster
  readonly client: EventStoreDBClient
  readonly clientOf: (index: number) => EventStoreDBClient
}

const withCluster = async (use: (world: World) => Promise<void>): Promise<void> => {
  const cluster = await startCluster()
  const clients: EventStoreDBClient[] = []
  const connect = (to: string): EventStoreDBClient => {
    const client = EventStoreDBClient.connectionString(to)
    clients.push(client)
    return client
  }
  try {
    const clientOf = (index: number) => connect(cluster.nodes[index]?.connectionString ?? '')
    await use({ cluster, client: connect(cluster.connectionString), clientOf })
  } finally {
    for (const client of clients) await client.dispose()
    await cluster.stop()
  }
}

/** Until the client has noticed that its connection is gone. */
const eventually = (attempt: () => Promise<unknown>): Promise<unknown> =>
  until(async () => (await failureOf(attempt())) === undefined)

const requiresLeader = true
const append = (client: EventStoreDBClient, expectedRevision: 'no_stream' | 'any' | bigint = 'any') =>
  client.appendToStream('s', [], { expectedRevision, requiresLeader })

it('has a leader that the client finds, and one log', () =>
  withCluster(async ({ cluster, client, clientOf }) => {
    assert.is((await appendAt(client, 's', 'no_stream', 3)).nextExpectedRevision, 2n)
    for (const index of cluster.nodes.keys())
      assert.equal((await collected(clientOf(index).readStream('s'))).map(textOf), ['0', '1', '2'])
  }))

it('discovers the leader from one node', () =>
  withCluster(async ({ cluster }) => {
    cluster.elect(2)
    const seed = cluster.nodes[1]
    const client = EventStoreDBClient.connectionString(
      `esdb+discover://${seed?.host}:${seed?.port}?tls=false&nodePreference=leader`,
    )
    assert.is(await failureOf(append(client)), undefined)
    await client.dispose()
  }))

it('hands writes on, and says who leads to those that want the leader', () =>
  withCluster(async ({ cluster, clientOf }) => {
    const follower = clientOf(1)
    assert.is((await appendAt(follower, 's', 'no_stream')).nextExpectedRevision, 0n)
    assert.is(await failureOf(collected(follower.readStream('s'))), undefined)
    assert.is(await failureOf(collected(clientOf(2).readStream('s', { requiresLeader }))), 'not-leader')
    // The client goes on with the node that it was told of. (It keeps one call for all its batches, with the headers of the first.)
    const other = clientOf(1)
    assert.is(await failureOf(append(other)), 'not-leader')
    assert.is(await failureOf(append(other)), undefined)
    assert.is(cluster.leader(), 0)
  }))

it('writes nothing while there is no leader, but reads', () =>
  withCluster(async ({ cluster, client }) => {
    await appendAt(client, 's', 'no_stream')
    cluster.depose()
    assert.is(await failureOf(appendAt(client, 's', 'any')), 'unknown')
    assert.is((await collected(client.readStream('s', { requiresLeader }))).length, 1)
    cluster.elect(1)
    assert.is(await failureOf(appendAt(client, 's', 'any')), undefined)
  }))

it('elects another leader when the first is killed, and takes the first back as a follower', () =>
  withCluster(async ({ cluster, client }) => {
    await appendAt(client, 's', 'no_stream')
    await cluster.kill(0)
    cluster.elect()
    assert.is(cluster.leader(), 1)
    await eventually(() => append(client))
    await cluster.restart(0)
    assert.is(cluster.leader(), 1)
    await cluster.kill(1)
    await cluster.kill(0)
    cluster.depose()
    cluster.elect()
    assert.is(cluster.leader(), undefined, 'one of three elects nobody')
  }))

it('plays a leader that is cut off: it reads what it has, and its writes time out', () =>
  withCluster(async ({ cluster, client, clientOf }) => {
    await appendAt(client, 's', 'no_stream')
    const old = clientOf(0)
    cluster.isolateLeader()
    const now = clientOf(1)
    assert.is((await appendAt(now, 's', 0n)).nextExpectedRevision, 1n)
    assert.is((await collected(old.readStream('s', { requiresLeader }))).length, 1)
    assert.is(await failureOf(appendAt(old, 's', 0n)), 'deadline-exceeded')
    await cluster.restart(0)
    await until(async () => (await collected(clientOf(0).readStream('s')).catch(() => [])).length === 2)
  }))

it('names a leader that is gone until it has noticed, and answers no writes meanwhile', () =>
  withCluster(async ({ cluster, clientOf }) => {
    const [writer, reader] = [clientOf(1), clientOf(2)]
    await appendAt(writer, 's', 'no_stream')
    await cluster.kill(0)
    const sent = appendAt(writer, 's', 0n)
    assert.is(await whenBehind(sent, () => cluster.looked(1)), 'silence')
    assert.is(await failureOf(collected(reader.readStream('s', { requiresLeader }))), 'not-leader')
    cluster.elect()
    assert.is((await appendAt(clientOf(1), 's', 0n)).nextExpectedRevision, 1n)
  }))

it('gives what is followed from the end on at every node', () =>
  withCluster(async ({ clientOf }) => {
    const subscription = clientOf(1).subscribeToAll({ fromPosition: 'end', requiresLeader })
    await new Promise((resolve) => subscription.on('caughtUp', () => resolve(undefined)))
    assert.is(await failureOf(collected(clientOf(2).readAll({ requiresLeader }))), 'not-leader')
    await subscription.unsubscribe()
  }))

it.run()
