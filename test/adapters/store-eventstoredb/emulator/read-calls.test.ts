import { jsonEvent, streamNameFilter, type AllStreamResolvedEvent, type ResolvedEvent } from '@eventstore/db-client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../../../until.ts'
import { anyEvent, appendAt, collected, textOf, withClient } from './with-client.ts'

const it = suite('subscriptions of the EventStoreDB emulator')

it('follows $all by prefix from a position on, with checkpoints, and says when it has caught up', () =>
  withClient(async ({ client }) => {
    await appendAt(client, 'ours-1', 'no_stream', 2)
    const [, second] = await collected(client.readStream('ours-1'))
    const fromPosition = second?.event?.position ?? 'start'
    await appendAt(client, 'theirs', 'no_stream', 100)
    await appendAt(client, 'ours-2', 'no_stream', 1)

    const seen: string[] = []
    const checkpoints: bigint[] = []
    const filter = streamNameFilter({
      prefixes: ['ours-'],
      checkpointInterval: 1,
      checkpointReached: async (_, { commit }) => void checkpoints.push(commit),
    })
    const subscription = client.subscribeToAll({ fromPosition, filter })
    const caughtUp = new Promise<void>((resolve) => subscription.on('caughtUp', resolve))
    const three = new Promise<void>((resolve) => {
      subscription.on('data', ({ event }) => {
        seen.push(`${event?.streamId} ${event?.revision}`)
        if (seen.length === 3) resolve()
      })
    })
    await caughtUp
    assert.equal(seen, ['ours-2 0'])
    assert.ok(checkpoints.length >= 3, `${checkpoints.length}`)
    assert.ok(checkpoints.every((at, index) => index === 0 || at > (checkpoints[index - 1] ?? 0n)))
    await appendAt(client, 'ours-1', 1n, 2)
    await three
    assert.equal(seen, ['ours-2 0', 'ours-1 2', 'ours-1 3'])
    await subscription.unsubscribe()
  }))

it('follows one stream, and $all by a regular expression of types from the end', () =>
  withClient(async ({ client }) => {
    await appendAt(client, 's', 'no_stream', 2)
    const stream = client.subscribeToStream('s', { fromRevision: 0n })
    const all = client.subscribeToAll({
      fromPosition: 'end',
      filter: { filterOn: 'eventType', regex: '^[^$].*', checkpointInterval: 1 },
    })
    await new Promise<void>((resolve) => all.on('caughtUp', resolve))
    const next = (of: typeof all | typeof stream, count: number) =>
      new Promise<string[]>((resolve) => {
        const seen: string[] = []
        of.on('data', (resolved: ResolvedEvent | AllStreamResolvedEvent) => {
          seen.push(textOf(resolved))
          if (seen.length === count) resolve(seen)
        })
      })
    const [ofStream, ofAll] = [next(stream, 2), next(all, 2)]
    await client.setStreamMetadata('s', { maxCount: 100 })
    await client.appendToStream('s', [anyEvent('x')])
    await client.appendToStream('t', [jsonEvent({ type: 'Json', data: { y: 1 } })])
    assert.equal(await ofStream, ['1', 'x'])
    assert.equal(await ofAll, ['x', ''])
    await Promise.all([stream.unsubscribe(), all.unsubscribe()])
  }))

for (const [version, isDropped] of [
  ['23.10.8', true],
  ['24.6.0', false],
] as const)
  it(`${isDropped ? 'drops' : 'keeps'} a live subscription that one large append leaves behind, as ${version} does`, () =>
    withClient(
      async ({ client }) => {
        const subscription = client.subscribeToAll({
          fromPosition: 'end',
          filter: streamNameFilter({ prefixes: ['s'] }),
        })
        const seen: string[] = []
        subscription.on('data', (event) => seen.push(textOf(event)))
        const dropped = new Promise<string>((resolve) => subscription.on('error', ({ message }) => resolve(message)))
        await new Promise<void>((resolve) => subscription.on('caughtUp', resolve))
        await appendAt(client, 's', 'any', 100)
        await appendAt(client, 's', 'any', 500)
        if (isDropped) assert.match(await dropped, 'Consumer too slow')
        else await until(() => seen.length >= 600)
        assert.ok(isDropped ? seen.length >= 128 && seen.length < 600 : seen.length === 600, `${seen.length}`)
        await subscription.unsubscribe()
      },
      { version },
    ))

it.run()
