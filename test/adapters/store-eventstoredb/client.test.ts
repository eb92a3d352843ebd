import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { StoredEvent } from '../../../adapters/store-eventstoredb/log-client.ts'
import { anyEvent, anyEvents, atEmulator, places, textsOf, troubleOf } from './any-log.ts'

const it = suite('EventStoreDB client')

for (const [place, at] of places) {
  it(`appends at absent, exact and any ends, and reads the same bytes and numbers (${place})`, () =>
    at(async ({ client, prefix }) => {
      const stream = `${prefix}s`
      const [one, two, three] = [anyEvent('one'), { ...anyEvent(), data: new Uint8Array() }, anyEvent('three')]
      const first = await client.append(stream, 'none', [one, two])
      const second = await client.append(stream, 1n, [three])
      const third = await client.append(stream, 'any', [anyEvent('four')])
      assert.equal([first.revision, second.revision, third.revision], [1n, 2n, 3n])
      assert.ok(first.position < second.position && second.position < third.position)
      const events = await client.readStream(stream, { from: 'start', limit: 10 })
      assert.equal(textsOf(events), ['one', '', 'three', 'four'])
      const [, read, last] = events as readonly StoredEvent[]
      const createdMs = read?.createdMs ?? 0
      assert.ok(createdMs > Date.UTC(2020, 0, 1))
      assert.equal(read, { ...two, stream, revision: 1n, position: first.position, createdMs })
      assert.equal({ ...last, createdMs }, { ...three, stream, revision: 2n, position: second.position, createdMs })
    }))

  it(`answers the original numbers to an append that it knows (${place})`, () =>
    at(async ({ client, prefix }) => {
      const stream = `${prefix}s`
      const events = anyEvents(3)
      const first = await client.append(stream, 'none', events)
      await client.append(stream, 2n, anyEvents(5))
      assert.equal(await client.append(stream, 'none', events), first)
    }))

  it(`tells where a stream really ends (${place})`, () =>
    at(async ({ client, prefix }) => {
      const stream = `${prefix}s`
      const known = anyEvent()
      await client.append(stream, 'none', [known])
      await client.append(stream, 0n, [anyEvent()])
      assert.equal(await troubleOf(client.append(stream, 0n, [anyEvent()])), { _tag: 'wrong-end', actual: 1n })
      assert.equal(await troubleOf(client.append(stream, 'none', [anyEvent()])), { _tag: 'wrong-end', actual: 1n })
      assert.equal(await troubleOf(client.append(stream, 9n, [anyEvent()])), { _tag: 'wrong-end', actual: 1n })
      assert.equal(await troubleOf(client.append(`${prefix}t`, 0n, [anyEvent()])), {
        _tag: 'wrong-end',
        actual: 'none',
      })
      // Known in part.
      const mixed = [known, anyEvent()]
      assert.equal(await troubleOf(client.append(stream, 'none', mixed)), { _tag: 'wrong-end', actual: 1n })
    }))

  it(`reads pages of a stream both ways, and tells a stream that is not there (${place})`, () =>
    at(async ({ client, prefix }) => {
      const stream = `${prefix}s`
      await client.append(stream, 'none', anyEvents(5))
      const read = async (...page: Parameters<typeof client.readStream>) => textsOf(await client.readStream(...page))
      assert.equal(await read(stream, { from: 'start', limit: 2 }), ['0', '1'])
      assert.equal(await read(stream, { from: 3n, limit: 9 }), ['3', '4'])
      assert.equal(await read(stream, { from: 'end', backwards: true, limit: 2 }), ['4', '3'])
      assert.equal(await read(stream, { from: 1n, backwards: true, limit: 9 }), ['1', '0'])
      assert.equal(await read(stream, { from: 9n, limit: 9 }), [])
      assert.is(await client.readStream(`${prefix}t`, { from: 'start', limit: 1 }), 'missing')
      assert.is(await client.readStream(`${prefix}t`, { from: 'end', backwards: true, limit: 1 }), 'missing')
    }))

  it(`reads pages of the whole log both ways, from a position on, without the bytes of others (${place})`, () =>
    at(async ({ client, prefix }) => {
      const ours = `${prefix}ours`
      const first = await client.append(ours, 'none', [anyEvent('first')])
      await client.append(`${prefix}theirs`, 'none', [anyEvent('secret')])
      const last = await client.append(ours, 0n, [anyEvent('last')])
      const prefixes = [ours]
      const mine = (events: readonly StoredEvent[]): readonly string[] =>
        events
          .filter(({ stream }) => stream.startsWith(prefix))
          .map(({ stream, data }) => `${stream.slice(prefix.length)} ${Buffer.from(data).toString()}`)
      const from = first.position
      assert.equal(mine(await client.readAll({ from, limit: 1, prefixes })), ['ours first'])
      assert.equal(mine(await client.readAll({ from, limit: 50, prefixes })), ['ours first', 'theirs ', 'ours last'])
      assert.equal(mine(await client.readAll({ from, limit: 50 })), ['ours first', 'theirs secret', 'ours last'])
      assert.equal(mine(await client.readAll({ from: last.position, backwards: true, limit: 1, prefixes })), [
        'ours last',
      ])
      assert.equal(mine(await client.readAll({ from: last.position, backwards: true, limit: 3, prefixes })), [
        'ours last',
        'theirs ',
        'ours first',
      ])
      assert.ok((await client.readAll({ from: 'start', limit: 1 })).length === 1)
      assert.equal(
        (await client.readAll({ from: 'end', limit: 5 })).filter(({ stream }) => stream.startsWith(prefix)),
        [],
      )
    }))

  it(`ends a stream for ever, once or again, whether it was or not (${place})`, () =>
    at(async ({ client, prefix }) => {
      const stream = `${prefix}s`
      await client.append(stream, 'none', anyEvents(2))
      for (const ended of [stream, stream, `${prefix}never`]) {
        await client.tombstone(ended)
        assert.is(await client.readStream(ended, { from: 'start', limit: 1 }), 'deleted')
        assert.equal(await troubleOf(client.append(ended, 'any', [anyEvent()])), { _tag: 'deleted' })
      }
    }))

  it(`tells the largest append when one is larger (${place})`, () =>
    at(async ({ client, prefix }) => {
      const event = (bytes: number) => ({ ...anyEvent(), data: new Uint8Array(bytes).fill(1) })
      const trouble = await troubleOf(
        client.append(
          `${prefix}s`,
          'none',
          Array.from({ length: 8 }, () => event(2_000_000)),
        ),
      )
      assert.is(trouble._tag, 'too-large')
      const bytesMax = trouble._tag === 'too-large' ? (trouble.bytesMax ?? 0) : 0
      assert.ok(bytesMax > 100_000)
      const { revision } = await client.append(`${prefix}s`, 'none', [event(bytesMax - 5_000)])
      assert.is(revision, 0n)
      assert.is((await troubleOf(client.append(`${prefix}s`, 0n, [event(17_000_000)])))._tag, 'too-large')
    }))

  it(`says that a number or a name is none, and goes on (${place})`, () =>
    at(async ({ client, prefix }) => {
      const stream = `${prefix}s`
      const { position } = await client.append(stream, 'none', [anyEvent()])
      for (const call of [
        client.readStream(stream, { from: -1n, limit: 1 }),
        client.readStream(stream, { from: 2n ** 64n, limit: 1 }),
        client.append(stream, 0n, [{ ...anyEvent(), id: 'no UUID' }]),
        client.append('', 'none', [anyEvent()]),
      ])
        assert.is((await troubleOf(call))._tag, 'unusable')
      assert.is((await client.append(stream, 0n, [anyEvent()])).revision, 1n)
      assert.equal(await client.readAll({ from: position + 2n ** 40n, limit: 1 }), [])
    }))

  it(`keeps the bytes of many events that are sent at once, each with its own (${place})`, () =>
    at(async ({ client, prefix }) => {
      const streams = Array.from({ length: 60 }, (_, index) => `${prefix}${index}`)
      const pool = Buffer.from('x'.repeat(100)) // one of Node's pooled buffers, of which each event has a view
      const numbers = await Promise.all(
        streams.map((stream, index) =>
          client.append(stream, 'none', [
            { ...anyEvent(), data: pool.subarray(0, index), metadata: pool.subarray(index) },
          ]),
        ),
      )
      assert.is(new Set(numbers.map(({ position }) => position)).size, 60)
      const read = await Promise.all(streams.map((stream) => client.readStream(stream, { from: 'start', limit: 1 })))
      for (const [index, events] of read.entries()) {
        const [event] = events as readonly StoredEvent[]
        assert.equal([event?.data.byteLength, event?.metadata.byteLength], [index, 100 - index])
      }
    }))

  it(`finds the leader again and again, and writes nothing to do so (${place})`, () =>
    at(async ({ client }) => {
      const last = async () => (await client.readAll({ from: 'end', backwards: true, limit: 1 }))[0]?.stream
      await client.checkLeader()
      await client.checkLeader()
      assert.is.not(await last(), 'countersign-check')
    }))
}

it('refuses what comes after it was closed, and answers what came before', () =>
  atEmulator(async ({ client, server }) => {
    const before = client.append('s', 'none', [anyEvent()])
    const closed = client.close()
    assert.is((await before).revision, 0n)
    await closed
    assert.is((await troubleOf(client.append('s', 0n, [anyEvent()])))._tag, 'unavailable')
    assert.is(server.log.endPosition() > 0n, true)
    await client.close()
  }))

it('lets a process end that has forgotten to close it, and not before it has caught up', () =>
  atEmulator(async ({ client, server }) => {
    await client.append('s', 'none', anyEvents(3))
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', 'test/adapters/store-eventstoredb/child-that-forgets.ts', server.connectionString],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    let printed = ''
    child.stdout.on('data', (text: Buffer) => (printed += text.toString()))
    await once(child, 'close')
    assert.equal([child.exitCode, printed], [0, 'caught up with 3 events\n'])
  }))

it('takes JSON of other applications as bytes', () =>
  atEmulator(async ({ client, server }) => {
    const bytes = (text: string) => new Uint8Array(Buffer.from(text))
    const event = {
      id: anyEvent().id,
      type: 'Json',
      contentType: 'application/json',
      data: bytes('{"a": 1}'),
      metadata: bytes('[ ]'),
    }
    server.log.append('s', 'any', [event])
    const events = await client.readStream('s', { from: 'start', limit: 1 })
    assert.equal(textsOf(events), ['{"a":1}'])
    assert.equal(typeof events === 'string' ? [] : events.map(({ metadata }) => Buffer.from(metadata).toString()), [
      '[]',
    ])
  }))

it.run()
