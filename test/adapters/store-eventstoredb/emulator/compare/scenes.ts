/** What is played on both servers: each scene has streams of its own. */
import type { AppendExpectedRevision, EventData, EventStoreDBClient } from '@eventstore/db-client'
import { collected } from '../with-client.ts'
import type { AnyResolved, Recorder } from './recorder.ts'

export type Scene = (client: EventStoreDBClient, recorder: Recorder) => Promise<void>

type Kind = 'batch' | 'append'
const KINDS: readonly Kind[] = ['batch', 'append']
const EXPECTATIONS: readonly AppendExpectedRevision[] = ['any', 'no_stream', 'stream_exists', 0n, 1n, 2n, 5n]

// Credentials make the client fall back to the older call; a server without security does not look at them.
const optionsOf = (kind: Kind) =>
  kind === 'append' ? { credentials: { username: 'admin', password: 'changeit' } } : {}

export const appender =
  (client: EventStoreDBClient, recorder: Recorder, kind: Kind) =>
  (stream: string, expectedRevision: AppendExpectedRevision, events: readonly EventData[], label = '') =>
    recorder.play(`${kind} ${stream} at ${expectedRevision} ${label || `${events.length} events`}`, () =>
      client.appendToStream(recorder.stream(stream), [...events], { expectedRevision, ...optionsOf(kind) }),
    )

export const readAs = (client: EventStoreDBClient, recorder: Recorder, stream: string, label = `read ${stream}`) =>
  recorder.play<readonly AnyResolved[]>(label, () => collected(client.readStream(recorder.stream(stream))))

export const forKinds =
  (scene: (client: EventStoreDBClient, recorder: Recorder, kind: Kind) => Promise<void>): Scene =>
  async (client, recorder) => {
    for (const kind of KINDS) await scene(client, recorder, kind)
  }

/** Every expectation, at a stream that is missing, has events, was deleted, has a tombstone. */
const expectations = forKinds(async (client, recorder, kind) => {
  const append = appender(client, recorder, kind)
  for (const state of ['missing', 'three', 'deleted', 'metadata', 'tombstone'])
    for (const expected of EXPECTATIONS) {
      const name = `${kind}-${state}-${expected}`
      const stream = recorder.stream(name)
      const three = ['a', 'b', 'c'].map((label) => recorder.event(`${name}-${label}`))
      if (state !== 'missing' && state !== 'metadata') await client.appendToStream(stream, three)
      if (state === 'metadata') await client.setStreamMetadata(stream, { maxCount: 10 })
      if (state === 'deleted') await client.deleteStream(stream)
      if (state === 'tombstone') await client.tombstoneStream(stream)
      await append(name, expected, [recorder.event(`${name}-d`), recorder.event(`${name}-e`)])
      await readAs(client, recorder, name)
    }
})

const empty = forKinds(async (client, recorder, kind) => {
  const append = appender(client, recorder, kind)
  await append(`${kind}-there`, 'no_stream', [recorder.event(`${kind}-a`)])
  for (const expected of ['any', 'no_stream', 0n, 3n] as const)
    for (const name of [`${kind}-there`, `${kind}-not-${expected}`]) await append(name, expected, [], 'nothing')
  await readAs(client, recorder, `${kind}-there`)
})

/** The same ids again: as a whole, in part, in another order, elsewhere. */
const repeated = forKinds(async (client, recorder, kind) => {
  const append = appender(client, recorder, kind)
  for (const base of ['no_stream', 'any', 'stream_exists'] as const) {
    const name = `${kind}-${base}`
    const event = (label: string) => recorder.event(`${name}-${label}`)
    const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map(event)
    if (!a || !b || !c || !d || !e) continue
    if (base === 'stream_exists') await append(name, 'any', [event('first')])
    await append(name, base, [a, b, c])
    await append(name, base, [a, b, c], 'abc again')
    await append(name, base, [a, b], 'ab')
    await append(name, base, [b, c], 'bc')
    await append(name, base, [c], 'c')
    await append(name, base, [c, b, a], 'cba')
    await append(name, base, [a, b, c, d], 'abcd')
    await append(name, base, [a, d], 'ad')
    await append(name, base, [d, a], 'da')
    await append(name, base, [d, d], 'dd')
    await append(`${name}-other`, 'any', [a, b], 'ab in another stream')
    await append(name, 1n, [c, e], 'ce')
    await append(name, 2n, [a], 'a at the end')
    for (const expected of [0n, 1n, 2n, 3n] as const) await append(name, expected, [b, c], 'bc')
    await readAs(client, recorder, name)
  }
})

const otherBytes = forKinds(async (client, recorder, kind) => {
  const append = appender(client, recorder, kind)
  await append(kind, 'no_stream', [recorder.event(`${kind}-a`)])
  for (const expected of ['no_stream', 'any'] as const)
    await append(
      kind,
      expected,
      [recorder.event(`${kind}-a`, { data: 'other', type: 'Other' })],
      'known id, other bytes',
    )
  await readAs(client, recorder, kind)
})

const pages: Scene = async (client, recorder) => {
  const events = Array.from({ length: 70 }, (_, index) => recorder.event(`${index}`))
  const stream = recorder.stream('s')
  await appender(client, recorder, 'batch')('s', 'no_stream', events)
  for (const direction of ['forwards', 'backwards'] as const)
    for (const fromRevision of ['start', 'end', 0n, 1n, 33n, 69n, 70n, 1000n, 2n ** 63n - 1n, 2n ** 63n] as const)
      for (const maxCount of [1, 2, 40])
        await recorder.play(`${direction} from ${fromRevision} ${maxCount}`, () =>
          collected<AnyResolved>(client.readStream(stream, { direction, fromRevision, maxCount })),
        )
  await recorder.play('none', () => collected<AnyResolved>(client.readStream(stream, { maxCount: 0 })))
}

const everything: Scene = async (client, recorder) => {
  const append = appender(client, recorder, 'batch')
  for (const [index, name] of ['a', 'b', 'a', 'c', 'b'].entries())
    await append(name, 'any', [recorder.event(`${name}-${index}`)])
  const [first] = await collected(client.readStream(recorder.stream('b')))
  const at = first?.event?.position
  if (at === undefined) return recorder.note('position', 'none')
  const shifted = { commit: at.commit + 1n, prepare: at.prepare + 1n }
  for (const direction of ['forwards', 'backwards'] as const)
    for (const [label, fromPosition] of [
      ['b', at],
      ['behind b', shifted],
      ['end', 'end'],
      ['start', 'start'],
      ['beyond', { commit: 2n ** 60n, prepare: 2n ** 60n }],
    ] as const)
      for (const maxCount of [1, 2, 40])
        if (label !== 'start' || direction === 'backwards')
          await recorder.play(`$all ${direction} from ${label} ${maxCount}`, () =>
            collected<AnyResolved>(client.readAll({ direction, fromPosition, maxCount })),
          )
  await recorder.play('$all none', () => collected<AnyResolved>(client.readAll({ maxCount: 0 })))
}

const removals: Scene = async (client, recorder) => {
  const append = appender(client, recorder, 'batch')
  for (const kind of ['deleteStream', 'tombstoneStream'] as const)
    for (const state of ['missing', 'three', 'deleted', 'tombstone'])
      for (const expectedRevision of ['any', 'no_stream', 1n, 2n, 3n] as const) {
        const name = `${kind}-${state}-${expectedRevision}`
        const stream = recorder.stream(name)
        const three = ['a', 'b', 'c'].map((label) => recorder.event(`${name}-${label}`))
        if (state !== 'missing') await client.appendToStream(stream, three)
        if (state === 'deleted') await client.deleteStream(stream)
        if (state === 'tombstone') await client.tombstoneStream(stream)
        const options = { expectedRevision }
        await recorder.play(name, async () =>
          kind === 'deleteStream' ? client.deleteStream(stream, options) : client.tombstoneStream(stream, options),
        )
        await readAs(client, recorder, name)
        await append(name, 'any', [recorder.event(`${name}-d`)])
        await readAs(client, recorder, name, `read ${name} once more`)
      }
}

const metadata: Scene = async (client, recorder) => {
  const stream = recorder.stream('s')
  await recorder.play('metadata of a missing stream', () => client.getStreamMetadata(stream))
  await appender(client, recorder, 'batch')(
    's',
    'any',
    Array.from({ length: 10 }, (_, at) => recorder.event(`${at}`)),
  )
  for (const set of [{ maxCount: 3 }, { truncateBefore: 8 }, { maxCount: 5, truncateBefore: 2 }, { own: 'text' }]) {
    await recorder.play(`set ${JSON.stringify(set)}`, () => client.setStreamMetadata(stream, set))
    await readAs(client, recorder, 's')
    for (const direction of ['forwards', 'backwards'] as const)
      for (const fromRevision of ['start', 'end', 0n, 6n, 7n, 9n] as const)
        await recorder.play(`${direction} from ${fromRevision}`, () =>
          collected<AnyResolved>(client.readStream(stream, { direction, fromRevision, maxCount: 2 })),
        )
  }
  const options = { expectedRevision: 0n }
  await recorder.play('set at a wrong revision', () => client.setStreamMetadata(stream, { maxCount: 1 }, options))
  await recorder.play('metadata', async () => (await client.getStreamMetadata(stream)).metadata)
  await client.tombstoneStream(stream)
  await recorder.play('metadata of a tombstone', async () => (await client.getStreamMetadata(stream)).metadata)
  await recorder.play('set that of a tombstone', () => client.setStreamMetadata(stream, { maxCount: 1 }))
}

const links: Scene = async (client, recorder) => {
  const append = appender(client, recorder, 'batch')
  for (const name of ['there', 'deleted', 'tombstone'])
    await append(name, 'any', [recorder.event(`${name}-a`), recorder.event(`${name}-b`)])
  const to = (name: string, at: number) =>
    recorder.event(`${name}-${at}`, { type: '$>', data: `${at}@${recorder.stream(name)}` })
  const odd = ['nonsense', '1@', '@x', '-1@x'].map((data) => recorder.event(data, { type: '$>', data }))
  await append('links', 'any', [to('there', 1), to('there', 5), to('deleted', 0), to('tombstone', 0), to('none', 0)])
  await append('odd', 'any', odd)
  await client.deleteStream(recorder.stream('deleted'))
  await client.tombstoneStream(recorder.stream('tombstone'))
  for (const name of ['links', 'odd'])
    for (const resolveLinkTos of [true, false])
      await recorder.play(`${name} ${resolveLinkTos ? 'resolved' : 'as they are'}`, () =>
        collected<AnyResolved>(client.readStream(recorder.stream(name), { resolveLinkTos })),
      )
}

/** A stream of links that is removed and written anew: with ids of before, with new ones, behind what was removed, and by one who knows nothing of it. */
const mendedLinks: Scene = async (client, recorder) => {
  const append = appender(client, recorder, 'batch')
  await append(
    'log',
    'no_stream',
    ['a', 'b', 'c'].map((label) => recorder.event(label)),
  )
  const link = (at: number, id: string) =>
    recorder.event(`${id}-${at}`, { type: '$>', data: `${at}@${recorder.stream('log')}` })
  for (const [name, removed] of [
    ['same-ids', 'deleted'],
    ['new-ids', 'deleted'],
    ['cut', 'truncated'],
    ['other-end', 'deleted'],
  ] as const) {
    const stream = recorder.stream(name)
    const read = (resolveLinkTos: boolean) =>
      recorder.play(`read ${name}${resolveLinkTos ? ' resolved' : ''}`, () =>
        collected<AnyResolved>(client.readStream(stream, { resolveLinkTos })),
      )
    const readEdges = async (): Promise<void> => {
      for (const [direction, fromRevision] of [
        ['forwards', 'start'],
        ['backwards', 'end'],
      ] as const)
        await recorder.play(`edge ${direction}`, () =>
          collected<AnyResolved>(client.readStream(stream, { direction, fromRevision, maxCount: 1 })),
        )
    }
    await append(name, 'no_stream', [link(0, name), link(2, name), link(1, name)])
    await recorder.play('removed at another end', () => client.deleteStream(stream, { expectedRevision: 1n }))
    if (removed === 'truncated') await client.setStreamMetadata(stream, { truncateBefore: 3 })
    else await recorder.play('removed', async () => void (await client.deleteStream(stream, { expectedRevision: 2n })))
    await read(false)
    await readEdges()
    const salt = name === 'same-ids' ? name : `${name}-anew`
    const anew = [link(0, salt), link(1, salt)]
    await append(name, name === 'new-ids' || name === 'same-ids' ? 'no_stream' : 2n, anew, 'anew')
    await append(name, name === 'new-ids' || name === 'same-ids' ? 'no_stream' : 2n, anew, 'anew, again')
    await append(name, 1n, [link(2, name)], 'by one who knows nothing')
    await append(name, 4n, [link(2, `${name}-next`)], 'behind')
    await append(name, 4n, [link(2, `${name}-next`)], 'behind, again')
    await read(false)
    await read(true)
    await readEdges()
    await recorder.play('ended', async () => void (await client.tombstoneStream(stream)))
    await append(name, 5n, [link(2, `${name}-late`)], 'behind the end')
    await read(false)
  }
}

export const PLAIN_SCENES: Readonly<Record<string, Scene>> = {
  expectations,
  empty,
  repeated,
  'other-bytes': otherBytes,
  pages,
  everything,
  removals,
  metadata,
  links,
  'mended-links': mendedLinks,
}
