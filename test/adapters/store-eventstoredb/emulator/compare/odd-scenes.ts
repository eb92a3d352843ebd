/** What a careful program does not send. */
import { binaryEvent, type EventData } from '@eventstore/db-client'
import { collected } from '../with-client.ts'
import type { AnyResolved } from './recorder.ts'
import { appender, forKinds, readAs, type Scene } from './scenes.ts'

const MEGABYTE = 1024 * 1024

const limits = forKinds(async (client, recorder, kind) => {
  const append = appender(client, recorder, kind)
  const event = (label: string, data: number, metadata = 0): EventData =>
    recorder.event(`${kind}-${label}`, { data: new Uint8Array(data), metadata: new Uint8Array(metadata) })
  await append(`${kind}-a`, 'any', [event('bound', MEGABYTE)], 'at the bound')
  await append(`${kind}-b`, 'any', [event('over', MEGABYTE + 1)], 'one byte over')
  await append(`${kind}-c`, 'any', [event('type', MEGABYTE - 1), event('type-2', 1)], 'two at the bound')
  await append(`${kind}-d`, 'any', [event('two', MEGABYTE - 1), event('two-2', 2)], 'two over')
  await append(`${kind}-e`, 'any', [event('metadata', 10, MEGABYTE)], 'metadata')
  await append(`${kind}-f`, 'any', [event('both', MEGABYTE - 10, 100)], 'data and metadata')
  await append(`${kind}-g`, 5n, [event('wrong', MEGABYTE + 1)], 'over, at a wrong revision')
})

const oddEvents = forKinds(async (client, recorder, kind) => {
  const append = appender(client, recorder, kind)
  const data = Buffer.from('x')
  const odd: Readonly<Record<string, EventData>> = {
    'no type': binaryEvent({ type: '', data }),
    'no uuid': { ...binaryEvent({ type: 'A', data }), id: 'not a uuid' },
    'uuid of zeros': { ...binaryEvent({ type: 'A', data }), id: '00000000-0000-0000-0000-000000000000' },
    'upper case': { ...binaryEvent({ type: 'A', data }), id: '0F0E0D0C-0B0A-4908-8706-05040302010F' },
    'no data': binaryEvent({ type: 'A', data: new Uint8Array() }),
    'type of the system': binaryEvent({ type: '$odd', data }),
    'type with spaces': binaryEvent({ type: ' a b ', data }),
    'metadata that looks like JSON': binaryEvent({ type: 'A', data, metadata: Buffer.from('{"a":1.0}') }),
  }
  for (const [label, event] of Object.entries(odd)) {
    const name = `${kind}-${label.replaceAll(' ', '-')}`
    await append(name, 'any', [event], label)
    await readAs(client, recorder, name)
  }
})

const names = forKinds(async (client, recorder, kind) => {
  const append = appender(client, recorder, kind)
  for (const name of ['ä', 'Ä', 'a\u0308', 'a b', 'a/b?c#d', '\u{1F600}', 'a\nb', 'x'.repeat(500), 'a@b', 'a-b-c']) {
    await append(`${kind}-${name}`, 'no_stream', [recorder.event(`${kind}-${name}`)])
    await readAs(client, recorder, `${kind}-${name}`)
  }
  const options = kind === 'append' ? { credentials: { username: 'admin', password: 'changeit' } } : {}
  for (const name of ['', '$all', '$$'])
    await recorder.play(`${kind} to "${name}"`, () =>
      client.appendToStream(name, [recorder.event(`${kind} ${name}`)], { expectedRevision: 77n, ...options }),
    )
  await recorder.play(`read ""`, () => collected<AnyResolved>(client.readStream('')))
})

const deadlines = forKinds(async (client, recorder, kind) => {
  const options = kind === 'append' ? { credentials: { username: 'admin', password: 'changeit' } } : {}
  for (const deadline of [-1000, 0, 5000])
    await recorder.play(`${kind} deadline ${deadline}`, () =>
      client.appendToStream(recorder.stream(`${kind}${deadline}`), [recorder.event(`${kind}${deadline}`)], {
        deadline,
        ...options,
      }),
    )
})

const chunks: Scene = async (client, recorder) => {
  const events = Array.from({ length: 40 }, (_, index) => recorder.event(`${index}`))
  await recorder.play('in many messages', () =>
    client.appendToStream(recorder.stream('s'), events, { batchAppendSize: 100 }),
  )
  await readAs(client, recorder, 's')
  await recorder.play('at once', () =>
    Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const { nextExpectedRevision } = await client.appendToStream(recorder.stream('many'), [
          recorder.event(`many-${index}`),
        ])
        return nextExpectedRevision
      }),
    ).then((revisions) => revisions.toSorted((a, b) => Number(a - b)).join(' ')),
  )
}

export const ODD_SCENES: Readonly<Record<string, Scene>> = {
  limits,
  'odd-events': oddEvents,
  names,
  deadlines,
  chunks,
}
