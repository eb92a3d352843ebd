/** What tests of the emulator begin with: a server, the unmodified client, and events. */
import { randomUUID } from 'node:crypto'
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

/** What had become of it when something was answered that was asked behind it; `silence` if nothing had. */
export const whenBehind = async <T>(promise: Promise<T>, later: () => Promise<unknown>): Promise<T | 'silence'> => {
  await later()
  return Promise.race([promise, Promise.resolve('silence' as const)])
}

export const failure = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )
