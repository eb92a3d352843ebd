import { randomUUID } from 'node:crypto'
import {
  binaryEvent,
  EventStoreDBClient,
  MaxAppendSizeExceededError,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
  type AppendExpectedRevision,
} from '@eventstore/db-client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { anyEvent, anyEvents, appendAt, collected, failure, textOf, withClient } from './with-client.ts'

const it = suite('EventStoreDB emulator')

const bytesOf = (value: unknown): Uint8Array => {
  assert.instance(value, Uint8Array)
  return value instanceof Uint8Array ? value : new Uint8Array()
}

for (const credentials of [undefined, { username: 'ada', password: 'secret' }]) {
  // With credentials on the call, the client falls back to the older call.
  const call = credentials === undefined ? 'BatchAppend' : 'Append'

  it(`appends at absent, exact and any revisions through ${call}`, () =>
    withClient(async ({ client }) => {
      const at = (expectedRevision: AppendExpectedRevision, count = 1) =>
        client.appendToStream('s', anyEvents(count), { expectedRevision, ...(credentials && { credentials }) })
      const first = await at('no_stream')
      assert.is(first.nextExpectedRevision, 0n)
      const second = await at(0n, 3)
      assert.is(second.nextExpectedRevision, 3n)
      assert.ok((second.position?.commit ?? 0n) > (first.position?.commit ?? 0n))
      assert.is((await at('any')).nextExpectedRevision, 4n)
      assert.is((await at('stream_exists')).nextExpectedRevision, 5n)

      const wrong = await failure(at(3n))
      assert.instance(wrong, WrongExpectedVersionError)
      assert.is((wrong as WrongExpectedVersionError).actualVersion, 5n)
      const missing = await failure(
        client.appendToStream('t', [anyEvent()], { expectedRevision: 7n, ...(credentials && { credentials }) }),
      )
      assert.is((missing as WrongExpectedVersionError).actualVersion, 'no_stream')
    }))

  it(`answers the original numbers to what it knows, through ${call}`, () =>
    withClient(
      async ({ client }) => {
        const send = (events: ReturnType<typeof anyEvents>, expectedRevision: AppendExpectedRevision) =>
          client.appendToStream('s', events, { expectedRevision, ...(credentials && { credentials }) })
        const events = anyEvents(3)
        const first = await send(events, 'no_stream')
        await send(anyEvents(4), 2n)
        assert.equal(await send(events, 'no_stream'), first)
        assert.equal(await send(events.slice(0, 2), 'no_stream'), { ...(await send(events.slice(0, 2), 'no_stream')) })
        assert.instance(await failure(send([...events, anyEvent()].reverse(), 'no_stream')), WrongExpectedVersionError)
        // A set that is known in part.
        assert.instance(
          await failure(send([...events.slice(0, 1), anyEvent()], 'no_stream')),
          WrongExpectedVersionError,
        )
        // With no number to look at, only ids of the last few events are known.
        const recent = anyEvents(2)
        const written = await send(recent, 'any')
        assert.equal(await send(recent, 'any'), written)
        await send(anyEvents(10), 'any')
        assert.is((await send(recent, 'any')).nextExpectedRevision, written.nextExpectedRevision + 12n)
      },
      { recentIdsMax: 10 },
    ))
}

it('reads a stream both ways, with positions that say the same as $all and the append', () =>
  withClient(async ({ client }) => {
    const { position } = await appendAt(client, 's', 'no_stream', 70)
    const forwards = await collected(client.readStream('s'))
    assert.equal(
      forwards.map(({ event }) => event?.revision),
      Array.from({ length: 70 }, (_, index) => BigInt(index)),
    )
    assert.equal(forwards.at(-1)?.event?.position, position)
    const backwards = await collected(
      client.readStream('s', { direction: 'backwards', fromRevision: 'end', maxCount: 3 }),
    )
    assert.equal(backwards.map(textOf), ['69', '68', '67'])
    const from = await collected(client.readStream('s', { fromRevision: 68n }))
    assert.equal(from.map(textOf), ['68', '69'])
    assert.equal(await collected(client.readStream('s', { fromRevision: 70n })), [])
    const past = await collected(client.readStream('s', { direction: 'backwards', fromRevision: 1000n, maxCount: 1 }))
    assert.equal(past.map(textOf), ['69'])

    const ours = (await collected(client.readAll())).filter(({ event }) => event?.streamId === 's')
    assert.equal(
      ours.map(({ event }) => event?.position),
      forwards.map(({ event }) => event?.position),
    )
    const positions = ours.map(({ event }) => event?.position?.commit ?? 0n)
    assert.ok(positions.every((at, index) => index === 0 || at > (positions[index - 1] ?? 0n) + 1n))
  }))

it('reads $all from a position: it is part of what follows, and not of what is before', () =>
  withClient(async ({ client }) => {
    const first = await appendAt(client, 'a', 'no_stream')
    const second = await appendAt(client, 'b', 'no_stream')
    const { position } = second
    assert.ok(position !== undefined && first.position !== undefined)
    const after = await collected(client.readAll({ fromPosition: position }))
    assert.is(after[0]?.event?.streamId, 'b')
    const before = await collected(client.readAll({ fromPosition: position, direction: 'backwards', maxCount: 1 }))
    assert.is(before[0]?.event?.streamId, 'a')
    const last = await collected(client.readAll({ fromPosition: 'end', direction: 'backwards', maxCount: 1 }))
    assert.is(last[0]?.event?.streamId, 'b')
  }))

const CREATED_MS = Date.UTC(2030, 0, 1)

it('keeps the bytes of binary events, and says where an id, a type and a time come from', () =>
  withClient(
    async ({ client }) => {
      const id = randomUUID()
      const data = Uint8Array.from({ length: 256 }, (_, index) => index)
      await client.appendToStream('s', [binaryEvent({ id, type: 'Bytes', data, metadata: Uint8Array.of(255, 0) })])
      const [read] = await collected(client.readStream('s'))
      assert.is(read?.event?.id, id)
      assert.is(read?.event?.type, 'Bytes')
      assert.is(read?.event?.isJson, false)
      assert.ok(Buffer.from(data).equals(bytesOf(read?.event?.data)))
      assert.ok(Buffer.from([255, 0]).equals(bytesOf(read?.event?.metadata)))
      assert.is(read?.event?.created.getTime(), CREATED_MS)
    },
    { nowMs: () => CREATED_MS },
  ))

it('tells a missing stream, a deleted one that is opened again, and a tombstone apart', () =>
  withClient(async ({ client, server }) => {
    assert.instance(await failure(collected(client.readStream('s'))), StreamNotFoundError)
    await appendAt(client, 's', 'no_stream', 3)
    await client.deleteStream('s')
    assert.instance(await failure(collected(client.readStream('s'))), StreamNotFoundError)
    assert.is((await appendAt(client, 's', 'any')).nextExpectedRevision, 3n)
    assert.is((await collected(client.readStream('s'))).length, 1)

    const { position } = await client.tombstoneStream('s')
    assert.ok(position !== undefined)
    const read = await failure(collected(client.readStream('s')))
    assert.instance(read, StreamDeletedError)
    assert.is((read as StreamDeletedError).streamName, 's')
    assert.instance(await failure(appendAt(client, 's', 'any')), StreamDeletedError)
    assert.instance(await failure(client.tombstoneStream('s')), StreamDeletedError)
    // The bytes stay in the log until it is scavenged.
    const inLog = async () =>
      (await collected(client.readAll())).filter(({ event }) => event?.streamId === 's').map(({ event }) => event?.type)
    assert.equal(await inLog(), ['Anything', 'Anything', 'Anything', 'Anything', '$streamDeleted'])
    server.log.scavenge()
    assert.equal(await inLog(), ['$streamDeleted'])
  }))

it('holds back what metadata says', () =>
  withClient(async ({ client }) => {
    await appendAt(client, 's', 'no_stream', 10)
    await client.setStreamMetadata('s', { maxCount: 3 })
    assert.equal((await collected(client.readStream('s'))).map(textOf), ['7', '8', '9'])
    await client.setStreamMetadata('s', { truncateBefore: 8 })
    assert.equal((await collected(client.readStream('s', { fromRevision: 0n, maxCount: 1 }))).map(textOf), ['8'])
    assert.equal((await client.getStreamMetadata('s')).metadata, { truncateBefore: 8 })
    assert.is((await appendAt(client, 's', 9n)).nextExpectedRevision, 10n)
  }))

it('follows links, also such as point to nothing', () =>
  withClient(async ({ client }) => {
    await appendAt(client, 's', 'no_stream', 2)
    const link = (data: string) => binaryEvent({ type: '$>', data: Buffer.from(data) })
    await client.appendToStream('links', [link('1@s'), link('7@s')])
    const [good, broken] = await collected(client.readStream('links', { resolveLinkTos: true }))
    assert.is(good?.event?.streamId, 's')
    assert.is(good?.event?.revision, 1n)
    assert.is(good?.link?.streamId, 'links')
    assert.is(broken?.event, undefined)
    assert.is(broken?.link?.revision, 1n)
    assert.is((await collected(client.readStream('links')))[0]?.event?.type, '$>')
  }))

it('refuses what is larger than one append may be, and says the bound', () =>
  withClient(
    async ({ client }) => {
      for (const credentials of [undefined, { username: 'ada', password: 'secret' }]) {
        const large = client.appendToStream('s', [anyEvent('x'.repeat(1001))], { ...(credentials && { credentials }) })
        const error = await failure(large)
        assert.instance(error, MaxAppendSizeExceededError)
        assert.is((error as MaxAppendSizeExceededError).maxAppendSize, 1000)
      }
      await client.appendToStream('s', [anyEvent('x'.repeat(1000))])
    },
    { maxAppendSize: 1000 },
  ))

it('takes an append in several messages, and gives up what does not come as a whole within its deadline', () =>
  withClient(async ({ client }) => {
    const events = anyEvents(50)
    const { nextExpectedRevision } = await client.appendToStream('s', events, { batchAppendSize: 100 })
    assert.is(nextExpectedRevision, 49n)
    assert.equal(
      (await collected(client.readStream('s'))).map(textOf),
      events.map((_, index) => `${index}`),
    )
    const late = (await failure(client.appendToStream('t', anyEvents(1), { deadline: -1 }))) as { type?: string }
    assert.is(late.type, 'deadline-exceeded')
  }))

it('keeps its log while it is stopped, and listens on the same port again', () =>
  withClient(async ({ client, server }) => {
    await appendAt(client, 's', 'no_stream', 2)
    await server.stop()
    assert.ok((await failure(appendAt(client, 's', 1n))) instanceof Error)
    await server.start()
    const again = EventStoreDBClient.connectionString(server.connectionString)
    assert.is((await appendAt(again, 's', 1n)).nextExpectedRevision, 2n)
    assert.is((await collected(again.readStream('s'))).length, 3)
    await again.dispose()
  }))

it('plays a server of 20.6: no batches, no features, no positions in streams', () =>
  withClient(
    async ({ client }) => {
      const { position } = await appendAt(client, 's', 'no_stream')
      const [read] = await collected(client.readStream('s'))
      assert.is(read?.event?.position?.commit, 2n ** 64n - 1n)
      const all = await collected(client.readAll())
      assert.equal(all.at(-1)?.event?.position, position)
    },
    { version: '20.6.1' },
  ))

it.run()
