import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { connectClient } from '../../../adapters/store-eventstoredb/client.ts'
import type { LogClientError } from '../../../adapters/store-eventstoredb/log-client.ts'
import { until } from '../../until.ts'
import { anyEvent, anyEvents, atEmulator, followed, places, textsOf } from './any-log.ts'
import { startProxy } from '../proxy.ts'

const it = suite('EventStoreDB client: following')

for (const [place, at] of places) {
  it(`gives what was there, tells that it has caught up, and gives what comes (${place})`, () =>
    at(async ({ client, prefix }) => {
      await client.append(`${prefix}a`, 'none', anyEvents(2))
      const read = followed(client, { prefixes: [prefix], after: 'start' })
      await read.caughtUp()
      assert.equal(textsOf(read.events), ['0', '1'])
      const { position } = await client.append(`${prefix}b`, 'none', [anyEvent('new')])
      await read.has(3)
      assert.equal(textsOf(read.events), ['0', '1', 'new'])
      assert.is(read.events[2]?.position, position)
      await read.stop()
    }))

  it(`begins behind a position (${place})`, () =>
    at(async ({ client, prefix }) => {
      const { position } = await client.append(`${prefix}a`, 'none', anyEvents(2))
      await client.append(`${prefix}a`, 1n, [anyEvent('behind')])
      const read = followed(client, { prefixes: [prefix], after: position })
      await read.caughtUp()
      assert.equal(textsOf(read.events), ['behind'])
      await read.stop()
    }))

  it(`gives nothing old from the end, and everything that comes once it has caught up (${place})`, () =>
    at(async ({ client, prefix }) => {
      await client.append(`${prefix}a`, 'none', anyEvents(2))
      const read = followed(client, { prefixes: [prefix], after: 'end' })
      await read.caughtUp()
      await client.append(`${prefix}a`, 1n, [anyEvent('new')])
      await read.has(1)
      assert.equal(textsOf(read.events), ['new'])
      await read.stop()
    }))

  it(`lets the server filter, by any of several prefixes (${place})`, () =>
    at(async ({ client, prefix }) => {
      for (const name of ['a', 'b', 'c']) await client.append(`${prefix}${name}`, 'none', [anyEvent(name)])
      const read = followed(client, { prefixes: [`${prefix}a`, `${prefix}c`], after: 'start' })
      await read.caughtUp()
      assert.equal(textsOf(read.events), ['a', 'c'])
      await read.stop()
    }))

  it(`tells how far it has come where only others write (${place})`, () =>
    at(async ({ client, prefix }) => {
      const { position } = await client.append(`${prefix}a`, 'none', [anyEvent()])
      for (let part = 0; part < 3; part++) await client.append(`${prefix}others${part}`, 'none', anyEvents(1000))
      const read = followed(client, { prefixes: [`${prefix}a`], after: position })
      await read.caughtUp()
      const checkpoints = read.told
        .filter((text) => text.startsWith('checkpoint'))
        .map((text) => BigInt(text.slice(11)))
      assert.ok(checkpoints.length > 0)
      assert.ok(checkpoints.every((checkpoint) => checkpoint > position))
      assert.equal(
        checkpoints,
        checkpoints.toSorted((a, b) => (a < b ? -1 : 1)),
      )
      await read.stop()
    }))

  it(`gives all events in order to a slow listener, one call after the other (${place})`, () =>
    at(async ({ client, prefix }) => {
      const count = 5_000
      for (let from = 0; from < count; from += 500)
        await client.append(
          `${prefix}a`,
          from === 0 ? 'none' : BigInt(from - 1),
          Array.from({ length: 500 }, (_, index) => anyEvent(`${from + index} ${'x'.repeat(500)}`)),
        )
      let isBusy = false
      let calls = 0
      const revisions: bigint[] = []
      await new Promise<void>((resolve, reject) => {
        const { stop } = client.follow(
          { prefixes: [prefix], after: 'start' },
          {
            onEvents: async (events) => {
              if (isBusy) reject(new Error('called before it had finished'))
              isBusy = true
              calls++
              revisions.push(...events.map(({ revision }) => revision))
              await client.positions(`${prefix}a`, 0n, 1) // meanwhile the server goes on
              isBusy = false
            },
            onCaughtUp: () => {
              if (isBusy || revisions.length < count) return reject(new Error('caught up too early'))
              resolve(stop())
            },
            onDropped: reject,
          },
        )
      })
      assert.equal(
        revisions,
        Array.from({ length: count }, (_, index) => BigInt(index)),
      )
      assert.ok(calls >= 10)
    }))

  it(`tells nothing more after it was stopped, even from inside of the listener (${place})`, () =>
    at(async ({ client, prefix }) => {
      await client.append(`${prefix}a`, 'none', anyEvents(3))
      const told: string[] = []
      await new Promise<void>((resolve) => {
        const following = client.follow(
          { prefixes: [prefix], after: 'start' },
          {
            onEvents: async () => {
              told.push('events')
              await following.stop()
              resolve()
            },
            onCaughtUp: () => told.push('caught up'),
            onDropped: () => told.push('dropped'),
          },
        )
      })
      await client.append(`${prefix}a`, 2n, anyEvents(1))
      const later = followed(client, { prefixes: [prefix], after: 'start' })
      await later.has(4)
      assert.equal(told, ['events'])
      await later.stop()
    }))
}

it('reads the server no further while its listener is busy', () =>
  atEmulator(async ({ server }) => {
    const bytes = new Uint8Array(100_000).fill(1)
    for (let index = 0; index < 500; index++)
      // 50 MB
      server.log.append('s', 'any', [{ ...anyEvent(), contentType: 'application/octet-stream', data: bytes }])
    const proxy = await startProxy(server)
    const client = await connectClient({ connectionString: `esdb://127.0.0.1:${proxy.port}?tls=false` })
    const got: bigint[] = []
    let free = (): void => undefined
    const isFree = new Promise<void>((resolve) => (free = resolve))
    const following = client.follow(
      { prefixes: ['s'], after: 'start' },
      {
        onEvents: async (events) => {
          got.push(...events.map(({ revision }) => revision))
          await isFree
        },
        onCaughtUp: () => undefined,
        onDropped: () => undefined,
      },
    )
    await until(() => got.length > 0)
    // The server answers so often that it could have sent everything meanwhile.
    for (let n = 0; n < 100; n++) await client.positions('of nobody', 0n, 1)
    assert.ok(got.length < 50, `${got.length} given`)
    assert.ok(proxy.received() < 10_000_000, `${proxy.received()} bytes read of the server`)
    free()
    await until(() => got.length >= 500)
    assert.is(got.length, 500)
    await following.stop()
    await client.close()
    await proxy.close()
  }))

it('tells that it was dropped, once, after all that came before', () =>
  atEmulator(async ({ client, server }) => {
    await client.append('s', 'none', anyEvents(5))
    server.fault('drop-subscription', { after: 3, times: 1 })
    const read = followed(client, { prefixes: ['s'], after: 'start' })
    await read.dropped()
    const later = followed(client, { prefixes: ['s'], after: 'start' })
    await later.caughtUp()
    assert.is(read.events.length, 3)
    assert.is(read.told.filter((text) => text.startsWith('dropped')).length, 1)
    assert.is(read.told.at(-1), 'dropped unavailable')
    await later.stop()
  }))

it('tells that it was dropped when the connection ends, and can begin again behind the last event', () =>
  atEmulator(async ({ client, server }) => {
    await client.append('s', 'none', anyEvents(3))
    const read = followed(client, { prefixes: ['s'], after: 'start' })
    await read.caughtUp()
    server.cutConnections()
    await read.dropped()
    const again = followed(client, { prefixes: ['s'], after: read.events.at(-1)?.position ?? 'start' })
    await again.caughtUp()
    await client.append('s', 2n, [anyEvent('more')])
    await again.has(1)
    assert.equal(textsOf(again.events), ['more'])
    await again.stop()
  }))

it('drops a listener that fails', () =>
  atEmulator(async ({ client }) => {
    await client.append('s', 'none', anyEvents(3))
    const error = await new Promise<LogClientError>((resolve) => {
      client.follow(
        { prefixes: ['s'], after: 'start' },
        {
          onEvents: () => {
            throw new Error('secret')
          },
          onCaughtUp: () => undefined,
          onDropped: resolve,
        },
      )
    })
    assert.is(error.message, 'the listener of the subscription has failed')
    assert.is((await client.append('s', 2n, [anyEvent()])).revision, 3n)
  }))

it('drops nothing on closing', async () => {
  const told: string[][] = []
  await atEmulator(async ({ client }) => {
    const read = followed(client, { prefixes: ['s'], after: 'start' })
    await read.caughtUp()
    await client.close()
    told.push([...read.told], read.told)
  })
  assert.equal(told[1], told[0])
  assert.not.ok(told[0]?.some((text) => text.startsWith('dropped')))
})

it('catches up with servers that do not tell when, too', () =>
  atEmulator(
    async ({ client, server }) => {
      for (let index = 0; index < 1_200; index++)
        server.log.append(index % 2 === 0 ? 'ours' : 'theirs', 'any', [
          { ...anyEvent(`${index}`), contentType: 'application/octet-stream' },
        ])
      const read = followed(client, { prefixes: ['ours'], after: 'start' })
      await read.caughtUp()
      assert.is(read.events.length, 600)
      await client.append('ours', 599n, [anyEvent('new')])
      await read.has(601)
      assert.equal(
        read.events.map(({ revision }) => revision),
        Array.from({ length: 601 }, (_, index) => BigInt(index)),
      )
      await read.stop()
    },
    { version: '22.10.4' },
  ))

it.run()
