import { NotLeaderError } from '@eventstore/db-client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../../../until.ts'
import type { FaultName } from './faults.ts'
import { anyEvent, appendAt, collected, failure, failureOf, textOf, whenBehind, withClient } from './with-client.ts'

const it = suite('faults of the EventStoreDB emulator')

const credentials = { username: 'ada', password: 'secret' }

// With credentials on the call, the client falls back from batches to the older call.
for (const extra of [{}, { credentials }]) {
  const call = 'credentials' in extra ? 'Append' : 'BatchAppend'

  for (const [name, isWritten] of [
    ['cut-before-write', false],
    ['cut-after-write', true],
    ['timeout-before-write', false],
    ['timeout-after-write', true],
  ] as const) {
    it(`plays ${name} on ${call}: what is sent again is there once`, () =>
      withClient(async ({ client, server }) => {
        await appendAt(client, 's', 'no_stream')
        server.fault(name, { times: 1 })
        const event = anyEvent('once')
        const send = () => client.appendToStream('s', [event], { expectedRevision: 0n, ...extra })
        const type = await failureOf(send())
        const timedOut = call === 'BatchAppend' ? 'deadline-exceeded' : 'timeout'
        if (name.startsWith('timeout')) assert.is(type, timedOut)
        else assert.ok(type === 'unavailable' || type === 'cancelled', type)
        assert.is(server.log.all().filter(({ id }) => id === event.id).length, isWritten ? 1 : 0)
        assert.is((await send()).nextExpectedRevision, 1n)
        assert.equal((await collected(client.readStream('s'))).map(textOf), ['0', 'once'])
      }))
  }

  for (const [name, isWritten] of [
    ['silent-before-write', false],
    ['silent-after-write', true],
  ] as const) {
    it(`plays ${name} on ${call}`, () =>
      withClient(async ({ client, server }) => {
        await appendAt(client, 't', 'any')
        server.fault(name, { times: 1 })
        const event = anyEvent()
        // Over a batch nothing ever comes; the older call ends at its own deadline.
        const sent = failureOf(client.appendToStream('s', [event], { ...extra, deadline: 300 }))
        await until(() => server.hits() === 1)
        const inBatch = () => whenBehind(sent, () => appendAt(client, 't', 'any'))
        assert.is(
          await (call === 'BatchAppend' ? inBatch() : sent),
          call === 'BatchAppend' ? 'silence' : 'deadline-exceeded',
        )
        assert.is(server.log.all().filter(({ id }) => id === event.id).length, isWritten ? 1 : 0)
      }))
  }
}

it('hits every n-th call, of one kind, on streams of one prefix, so many times', () =>
  withClient(async ({ client, server }) => {
    server.fault('timeout-before-write', { every: 3, times: 2, stream: 'ours-', calls: ['append'] })
    const types: (string | undefined)[] = []
    for (let index = 0; index < 12; index += 1) {
      await appendAt(client, 'theirs', 'any')
      types.push(await failureOf(appendAt(client, 'ours-1', 'any')))
    }
    const failed = types.flatMap((type, index) => (type === undefined ? [] : [index]))
    assert.equal(failed, [2, 5])
  }))

it('ends a fault, and all of them', () =>
  withClient(async ({ client, server }) => {
    const end = server.fault('timeout-before-write')
    assert.is(await failureOf(appendAt(client, 's', 'any')), 'deadline-exceeded')
    end()
    assert.is(await failureOf(appendAt(client, 's', 'any')), undefined)
    server.fault('timeout-before-write')
    server.clearFaults()
    assert.is(await failureOf(appendAt(client, 's', 'any')), undefined)
  }))

it('answers that another node leads, with its address, to appends and reads', () =>
  withClient(async ({ client, server }) => {
    const leader = { host: '127.0.0.1', port: server.port }
    server.fault('not-leader', { times: 1, leader })
    const error = await failure(appendAt(client, 's', 'any'))
    assert.instance(error, NotLeaderError)
    assert.equal((error as NotLeaderError).leader, { address: leader.host, port: leader.port })
    server.fault('not-leader', { times: 1, leader })
    assert.is(await failureOf(collected(client.readStream('s'))), 'not-leader')
  }))

const REFUSED: readonly (readonly [FaultName, append: string, read: string])[] = [
  ['too-busy', 'unavailable', 'unavailable'],
  ['not-ready', 'unavailable', 'unavailable'],
  ['no-leader-info', 'unknown', 'unknown'],
]
for (const [name, append, read] of REFUSED) {
  it(`plays ${name}, by which nothing is written`, () =>
    withClient(async ({ client, server }) => {
      server.fault(name, { times: 1 })
      // The client has no name for these in a batch.
      assert.is(await failureOf(appendAt(client, 's', 'any')), 'unknown')
      server.fault(name, { times: 1 })
      assert.is(await failureOf(client.appendToStream('s', [anyEvent()], { credentials })), append)
      server.fault(name, { times: 1 })
      assert.is(await failureOf(collected(client.readAll())), read)
      assert.is(server.log.stream('s'), 'missing')
    }))
}

it('cuts, holds and silences readings after some events', () =>
  withClient(async ({ client, server }) => {
    await appendAt(client, 's', 'no_stream', 10)
    const read = async (seen: string[] = []): Promise<readonly string[]> => {
      for await (const event of client.readStream('s')) seen.push(textOf(event))
      return seen
    }
    server.fault('cut-read', { after: 4, times: 1 })
    const type = await failureOf(read())
    assert.ok(type === 'unavailable' || type === 'cancelled', type)

    let open = (): void => undefined
    server.fault('held', { gate: new Promise<void>((resolve) => (open = resolve)), times: 1 })
    const held = read()
    assert.is(await whenBehind(held, () => read()), 'silence')
    open()
    assert.is((await held).length, 10)

    const seen: string[] = []
    server.fault('silent-read', { after: 3, times: 1 })
    assert.is(await whenBehind(read(seen), () => read()), 'silence')
    assert.equal(seen, ['0', '1', '2'])
  }))

it('drops a subscription, as the server does with readers that are too slow', () =>
  withClient(async ({ client, server }) => {
    await appendAt(client, 's', 'no_stream', 10)
    server.fault('drop-subscription', { after: 4, times: 1 })
    const seen: string[] = []
    const follow = async (): Promise<void> => {
      for await (const event of client.subscribeToStream('s')) seen.push(textOf(event))
    }
    assert.is(await failureOf(follow()), 'timeout')
    assert.equal(seen, ['0', '1', '2', '3'])
  }))

it.run()
