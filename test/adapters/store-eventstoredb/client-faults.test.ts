import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { connectClient } from '../../../adapters/store-eventstoredb/client.ts'
import { until } from '../../until.ts'
import { startEmulator } from './emulator/emulator.ts'
import {
  allTexts,
  anyEvent,
  anyEvents,
  appended,
  atEmulator,
  failureOf,
  followed,
  insisted,
  troubleOf,
} from './any-log.ts'
import { startProxy } from '../proxy.ts'
import { startRelay } from './relay.ts'

const it = suite('EventStoreDB client: faults')

const anyGate = () => {
  let open = (): void => undefined
  const gate = new Promise<void>((resolve) => (open = resolve))
  return { gate, open: () => open() }
}

for (const batchAppend of [true, false])
  it(`answers the original numbers when the connection ended before or after the write, ${batchAppend ? 'BatchAppend' : 'Append'}`, () =>
    atEmulator(
      async ({ client, server }) => {
        for (const [index, name] of (['cut-before-write', 'cut-after-write'] as const).entries()) {
          server.fault(name, { times: 1, stream: 's' })
          const { revision } = await client.append('s', index === 0 ? 'none' : BigInt(index - 1), [anyEvent(name)])
          assert.is(revision, BigInt(index))
        }
        assert.equal(await allTexts(client, 's'), ['cut-before-write', 'cut-after-write'])
      },
      { batchAppend },
    ))

it('does not send an append twice whose ids the server would not look for', () =>
  atEmulator(async ({ client, server }) => {
    server.fault('cut-after-write', { times: 1, stream: 's' })
    assert.is((await troubleOf(client.append('s', 'any', [anyEvent('once')])))._tag, 'unknown')
    assert.equal(await allTexts(client, 's'), ['once'])
  }))

for (const batchAppend of [true, false])
  it(`loses and doubles nothing when every tenth answer is lost, ${batchAppend ? 'BatchAppend' : 'Append'}`, () =>
    atEmulator(
      async ({ client, server }) => {
        server.fault('cut-after-write', { every: 10, stream: 's' })
        const texts = Array.from({ length: 12 }, (_, index) => `${index}`)
        const streams = ['s-0', 's-1', 's-2', 's-3']
        await Promise.all(
          streams.map(async (stream) => {
            for (const [index, text] of texts.entries()) await appended(client, stream, BigInt(index) - 1n, text)
          }),
        )
        server.clearFaults()
        for (const stream of streams) assert.equal(await allTexts(client, stream), texts)
      },
      { batchAppend },
    ))

it('answers where events stand, although the append that was sent before never is answered', () =>
  atEmulator(
    async ({ client, server }) => {
      await appended(client, 's', -1n, 'first')
      server.fault('silent-after-write', { times: 1, calls: ['append'] })
      const [error, positions] = await Promise.all([
        troubleOf(client.append('s', 0n, [anyEvent('unanswered')])),
        insisted(() => client.positions('s', 0n, 1)),
      ])
      assert.is(error._tag, 'unknown')
      assert.is(positions.length, 1)
    },
    { times: { appendTimeoutMs: 500 } },
  ))

for (const name of ['silent-before-write', 'silent-after-write'] as const)
  it(`does not know after its own time what became of an append, and goes on (${name})`, () =>
    atEmulator(
      async ({ client, server }) => {
        server.fault(name, { times: 1, stream: 's' })
        const error = await failureOf(client.append('s', 'none', [anyEvent('late')]))
        assert.equal(
          [error.trouble, error.message],
          [{ _tag: 'unknown' }, 'the server did not answer in time: try again'],
        )
        await appended(client, 't', -1n, 'next')
        const written = await insisted(() => client.readStream('s', { from: 'start', limit: 1 }))
        assert.is(written === 'missing', name === 'silent-before-write')
      },
      { times: { appendTimeoutMs: 500 } },
    ))

it('does not know what became of an append that the server gave up', () =>
  atEmulator(async ({ client, server }) => {
    server.fault('timeout-after-write', { times: 1, stream: 's' })
    assert.is((await troubleOf(client.append('s', 'none', [anyEvent('late')])))._tag, 'unknown')
    assert.equal(await allTexts(client, 's'), ['late'])
  }))

it('waits no longer than it may for a page, and reads on', () =>
  atEmulator(
    async ({ client, server }) => {
      await client.append('s', 'none', anyEvents(3))
      server.fault('silent-read', { times: 1, after: 1, stream: 's' })
      assert.is((await troubleOf(client.readStream('s', { from: 'start', limit: 9 })))._tag, 'unavailable')
      assert.is((await insisted(() => allTexts(client, 's'))).length, 3)
    },
    { times: { readTimeoutMs: 500 } },
  ))

it('reads a page again whose connection ended in the middle', () =>
  atEmulator(async ({ client, server }) => {
    await client.append('s', 'none', anyEvents(5))
    server.fault('cut-read', { times: 1, after: 2, stream: 's' })
    assert.equal(await allTexts(client, 's'), ['0', '1', '2', '3', '4'])
  }))

it('makes a new connection when one hangs, and drops what it answers later', () =>
  atEmulator(async ({ server }) => {
    const proxy = await startProxy(server)
    const connectionString = `esdb://127.0.0.1:${proxy.port}?tls=false`
    const client = await insisted(() =>
      connectClient({ connectionString, appendTimeoutMs: 500, connectTimeoutMs: 1_000 }),
    )
    await appended(client, 's', -1n, '0')
    const read = followed(client, { prefixes: ['s'], after: 'end' })
    await read.caughtUp()
    proxy.hang()
    const hanging = Array.from({ length: 20 }, (_, index) =>
      troubleOf(client.append(`t${index}`, 'none', [anyEvent()])),
    )
    assert.ok((await Promise.all(hanging)).every(({ _tag }) => _tag === 'unknown'))
    await read.dropped()
    proxy.goOn()
    await appended(client, 's', 0n, '1')
    assert.equal(await allTexts(client, 's'), ['0', '1'])
    await client.close()
    await proxy.close()
  }))

it('says that nothing was done when there is no server, and works when there is one again', () =>
  atEmulator(async ({ client, server }) => {
    await client.append('s', 'none', [anyEvent('0')])
    await server.stop()
    for (let index = 0; index < 5; index++) {
      const { _tag } = await troubleOf(client.append('s', 0n, [anyEvent('1')]))
      // The first may have been sent before the end of the connection was noticed.
      assert.ok(_tag === 'unavailable' || (index === 0 && _tag === 'unknown'))
    }
    await server.start()
    await appended(client, 's', 0n, '1')
    assert.equal(await allTexts(client, 's'), ['0', '1'])
  }))

it('does not go on with another log at the same address', () =>
  atEmulator(async ({ server }) => {
    const [proxy, other] = [await startProxy(server), await startEmulator()]
    const client = await connectClient({ connectionString: `esdb://127.0.0.1:${proxy.port}?tls=false` })
    await client.append('s', 'none', [anyEvent('0')])
    proxy.turnTo(other)
    const append = () => client.append('s', 0n, [anyEvent('1')])
    await until(async () => (await troubleOf(append()))._tag === 'unusable')
    assert.is(other.log.stream('s'), 'missing')
    proxy.turnTo(server)
    assert.is((await insisted(append, 'unusable')).revision, 1n)
    assert.equal(await allTexts(client, 's'), ['0', '1'])
    await client.close()
    await proxy.close()
    await other.stop()
  }))

it('waits for a leader that is being elected', () =>
  atEmulator(async ({ client, server }) => {
    for (const name of ['not-ready', 'no-leader-info'] as const) {
      server.fault(name, { times: 3 })
      assert.is((await client.append(name, 'none', [anyEvent()])).revision, 0n)
    }
  }))

it('passes on that the server is too busy, and does not ask again', () =>
  atEmulator(async ({ client, server }) => {
    server.fault('too-busy', { times: 1, stream: 's' })
    const { trouble, message } = await failureOf(client.append('s', 'none', [anyEvent()]))
    assert.equal([trouble, message], [{ _tag: 'unavailable' }, 'the server is too busy: try again'])
    // It says so with the code of a server that cannot be reached, and the connection stays all the same.
    const read = followed(client, { prefixes: ['s'], after: 'end' })
    await read.caughtUp()
    server.fault('too-busy', { times: 1, calls: ['read'], stream: 's' })
    assert.is((await failureOf(client.readStream('s', { from: 'start', limit: 1 }))).message, message)
    assert.is((await client.append('s', 'none', [anyEvent()])).revision, 0n)
    await read.has(1)
    await read.stop()
  }))

it('leaves the appends of another client in the process alone when a connection ends', async () => {
  const servers = [await startEmulator(), await startEmulator()] as const
  const [one, other] = [
    await connectClient({ connectionString: servers[0].connectionString }),
    await connectClient({ connectionString: servers[1].connectionString }),
  ]
  const { gate, open } = anyGate()
  servers[1].fault('held', { gate, calls: ['append'], stream: 's' })
  const held = other.append('s', 'none', [anyEvent()])
  await until(() => servers[1].hits() > 0)
  servers[0].fault('cut-after-write', { times: 1 })
  assert.is((await troubleOf(one.append('s', 'any', [anyEvent()])))._tag, 'unknown')
  open()
  assert.is((await held).revision, 0n)
  for (const client of [one, other]) await client.close()
  for (const server of servers) await server.stop()
})

it('lives on when an answer that nobody waits for ends its thread', () =>
  atEmulator(async ({ server }) => {
    const relay = await startRelay(server)
    const client = await connectClient({ connectionString: `esdb://127.0.0.1:${relay.port}?tls=false` })
    try {
      await client.append('s', 'none', [anyEvent('0')])
      const read = followed(client, { prefixes: ['s'], after: 'end' })
      await read.caughtUp()
      const { gate, open } = anyGate()
      server.fault('held', { gate, times: 1, stream: 'held' })
      const held = troubleOf(client.append('held', 'any', [anyEvent('1')]))
      await until(() => server.hits() > 0)
      relay.answerTwice(1)
      await appended(client, 's', 0n, '1')
      assert.is((await held)._tag, 'unknown')
      await read.dropped()
      open()
      assert.equal(await allTexts(client, 's'), ['0', '1'])
      await until(async () => (await client.readStream('held', { from: 'start', limit: 1 })) !== 'missing')
      assert.equal(await allTexts(client, 'held'), ['1'])
    } finally {
      await client.close()
      relay.close()
    }
  }))

it('ends an append whose caller does not wait any more', () =>
  atEmulator(async ({ client, server }) => {
    const over = AbortSignal.abort()
    assert.is((await troubleOf(client.append('s', 'none', [anyEvent()], { signal: over })))._tag, 'unavailable')
    server.fault('silent-after-write', { times: 1, stream: 's' })
    const ending = new AbortController()
    const sent = troubleOf(client.append('s', 'none', [anyEvent()], { signal: ending.signal }))
    await until(() => server.hits() > 0)
    ending.abort()
    assert.is((await sent)._tag, 'unknown')
  }))

it.run()
