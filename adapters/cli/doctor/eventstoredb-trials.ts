/* What `doctor` tries on a server of EventStoreDB: each in a stream of its own, which no store has, and which it ends. */
import { ok } from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { LogClientError, type LogClient, type StreamEvent } from '../../store-eventstoredb/log-client.ts'
import { streamNames } from '../../store-eventstoredb/names.ts'
import { TRIAL_TYPE } from '../../store-eventstoredb/event-store.ts'
import { same } from '../../testing/expect.ts'
import type { Checked } from '../doctor.ts'
import type { Named } from '../open-eventstoredb.ts'
import { tried, type OnChecked, type Trial } from './run-trials.ts'

/** Tries what the store counts on. */
export const eventStoreDbTrials = async (
  { connectionString, prefix = '' }: Named,
  onChecked: OnChecked,
): Promise<void> => {
  const { connectClient } = await import('../../store-eventstoredb/client.ts')
  let client: LogClient
  try {
    client = await connectClient({ connectionString })
  } catch (error) {
    if (!(error instanceof LogClientError)) throw error
    return onChecked({ check: 'trials', state: 'wrong', found: error.message, advice: 'nothing was tried' })
  }
  try {
    await trialsOver(client, prefix, onChecked)
  } finally {
    await client.close()
  }
}

/** The same, over a client. */
export const trialsOver = async (client: LogClient, prefix: string, onChecked: OnChecked): Promise<void> => {
  const names = streamNames(prefix)
  const inStream =
    (use: (stream: string) => Promise<void>): (() => Promise<void>) =>
    async () => {
      const stream = names.trial(randomUUID())
      try {
        await use(stream)
      } finally {
        await client.tombstone(stream)
      }
    }
  for (const trial of trialsOf(client)) onChecked(await tried({ ...trial, run: inStream(trial.run) }))
  const size = { bytesMax: 0 }
  const learn = inStream(async (stream) => {
    size.bytesMax = await boundOf(client, stream)
  })
  const checked = await tried({ check: SIZE, found: '', advice: LOOK, run: learn })
  onChecked(sizeCheck(checked, size.bytesMax))
}

type StreamTrial = Omit<Trial, 'run'> & { readonly run: (stream: string) => Promise<void> }

const LOOK = 'look whether the server is what it says it is, and what stands before it'

const trialsOf = (client: LogClient): readonly StreamTrial[] => [
  {
    check: 'exact places',
    found: 'an append at a place that is taken is refused, and told where the stream ends',
    advice: LOOK,
    run: async (stream) => {
      await client.append(stream, 'none', anyEvents(2))
      for (const expected of ['none', 0n, 5n] as const)
        same(
          await troubleOf(client.append(stream, expected, anyEvents(1))),
          { _tag: 'wrong-end', actual: 1n },
          NOT_REFUSED,
        )
    },
  },
  {
    check: 'repetitions',
    found: 'an append that comes again is answered with its original numbers, and written once',
    advice: LOOK,
    run: async (stream) => {
      const events = anyEvents(3)
      const first = await client.append(stream, 'none', events)
      await client.append(stream, 2n, anyEvents(1))
      same(await client.append(stream, 'none', events), first, 'the answer has other numbers')
      ok((await eventsOf(client, stream)).length === 4, 'the append was written twice')
    },
  },
  {
    check: 'positions',
    found: 'appends, streams and the log of all events tell the same positions and bytes',
    advice: LOOK,
    run: async (stream) => {
      const [event] = anyEvents(1)
      ok(event !== undefined)
      const { position } = await client.append(stream, 'none', [event])
      const [inStream] = await eventsOf(client, stream)
      const [inAll] = await client.readAll({ from: position, limit: 1 })
      for (const read of [inStream, inAll]) {
        ok(read?.id === event.id && read.position === position, 'an event has another position than its append told')
        same([read.data, read.metadata], [event.data, event.metadata], 'an event has other bytes')
      }
    },
  },
  {
    check: 'erasures',
    found: 'a stream that was ended cannot be read, nor begun again',
    advice: LOOK,
    run: async (stream) => {
      await client.append(stream, 'none', anyEvents(1))
      await client.tombstone(stream)
      ok((await client.readStream(stream, { from: 'start', limit: 1 })) === 'deleted', 'it can still be read')
      same(await troubleOf(client.append(stream, 'none', anyEvents(1))), { _tag: 'deleted' }, 'it was begun again')
    },
  },
]

const NOT_REFUSED = 'an append at a wrong place was not refused, or told a wrong end'

const SIZE = 'append size'
const MEBIBYTE = 1024 * 1024

/** The most bytes of an append; 0 if it is more than is tried. */
const boundOf = async (client: LogClient, stream: string): Promise<number> => {
  const [event] = anyEvents(1, MEBIBYTE + 1)
  const trouble = await troubleOf(client.append(stream, 'none', event === undefined ? [] : [event]))
  if (trouble === undefined) return 0
  ok(trouble._tag === 'too-large' && trouble.bytesMax !== undefined, 'the server does not tell its bound')
  return trouble.bytesMax
}

const sizeCheck = (checked: Checked, bytesMax: number): Checked => {
  if (checked.state !== 'ok') return checked
  const found =
    bytesMax === 0
      ? 'the server takes more than 1 MiB'
      : `the server takes up to ${bytesMax.toLocaleString('en')} bytes`
  return bytesMax === 0 || bytesMax >= MEBIBYTE
    ? { check: SIZE, state: 'ok', found }
    : { check: SIZE, state: 'warning', found, advice: 'raise MaxAppendSize to 1 MiB: larger commits are refused' }
}

const anyEvents = (count: number, bytes = 100): readonly StreamEvent[] =>
  Array.from({ length: count }, () => ({
    id: randomUUID(),
    type: TRIAL_TYPE,
    data: randomBytes(bytes),
    metadata: Uint8Array.of(0xf9, 1, 2),
  }))

const eventsOf = async (client: LogClient, stream: string) => {
  const found = await client.readStream(stream, { from: 'start', limit: 10 })
  return typeof found === 'string' ? [] : found
}

/** What the server says of a call that it must refuse; `undefined` if it did it. */
const troubleOf = async (call: Promise<unknown>): Promise<LogClientError['trouble'] | undefined> => {
  try {
    await call
    return undefined
  } catch (error) {
    if (error instanceof LogClientError) return error.trouble
    throw error
  }
}
