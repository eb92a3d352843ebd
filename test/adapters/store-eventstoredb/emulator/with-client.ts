/** What tests of the emulator begin with: a server, the unmodified client, and events. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import {
  binaryEvent,
  EventStoreDBClient,
  type AllStreamResolvedEvent,
  type AppendExpectedRevision,
  type ResolvedEvent,
} from '@eventstore/db-client'
import { startEmulator, type Emulator, type EmulatorOptions } from './emulator.ts'

export type World = { readonly server: Emulator; readonly client: EventStoreDBClient }

/** The unmodified client at an emulator of its own. */
export const withClient = async (
  use: (world: World) => Promise<void>,
  options: EmulatorOptions = {},
): Promise<void> => {
  const server = await startEmulator(options)
  const client = EventStoreDBClient.connectionString(server.connectionString)
  try {
    await use({ server, client })
  } finally {
    await client.dispose()
    await server.stop()
  }
}

export const anyEvent = (text = 'anything', id: string = randomUUID()) =>
  binaryEvent({ id, type: 'Anything', data: Buffer.from(text), metadata: Uint8Array.of(1, 2, 3) })

export const anyEvents = (count: number) => Array.from({ length: count }, (_, index) => anyEvent(`${index}`))

export const appendAt = (
  client: EventStoreDBClient,
  stream: string,
  expectedRevision: AppendExpectedRevision,
  count = 1,
) => client.appendToStream(stream, anyEvents(count), { expectedRevision })

export const collected = async <E>(events: AsyncIterable<E>): Promise<E[]> => {
  const all: E[] = []
  for await (const event of events) all.push(event)
  return all
}

export const textOf = ({ event }: Pick<ResolvedEvent | AllStreamResolvedEvent, 'event'>): string =>
  event?.data instanceof Uint8Array ? Buffer.from(event.data).toString('utf8') : ''

/** The name by which the client tells failures apart. */
export const failureOf = async (promise: Promise<unknown>): Promise<string | undefined> => {
  const error = await failure(promise)
  if (error === undefined) return undefined
  if (!(error instanceof Error)) return 'no error'
  return 'type' in error ? String(error.type) : error.message
}

/** What became of it within the time; `silence` if nothing did. */
export const within = async <T>(ms: number, promise: Promise<T>): Promise<T | 'silence'> => {
  const over = new AbortController()
  const silence = delay(ms, 'silence' as const, { signal: over.signal })
  silence.catch(() => undefined)
  return Promise.race([promise, silence]).finally(() => over.abort())
}

export const failure = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )
