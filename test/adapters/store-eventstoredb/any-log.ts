/** What tests of the client begin with: an emulator, or the real server that EVENTSTOREDB_URL names, and a client of the store at it. */
import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { connectClient } from '../../../adapters/store-eventstoredb/client.ts'
import {
  LogClientError,
  type FollowFrom,
  type LogClient,
  type StoredEvent,
  type StreamEvent,
  type Trouble,
} from '../../../adapters/store-eventstoredb/log-client.ts'
import type { ClientSettings } from '../../../adapters/store-eventstoredb/settings.ts'
import { until } from '../../until.ts'
import { startEmulator, type Emulator, type EmulatorOptions } from './emulator/emulator.ts'

export type AtEmulator = { readonly client: LogClient; readonly server: Emulator }
export type Times = Omit<ClientSettings, 'connectionString'>

/** A client at an emulator of its own. */
export const atEmulator = async (
  use: (world: AtEmulator) => Promise<void>,
  { times, ...options }: EmulatorOptions & { readonly times?: Times } = {},
): Promise<void> => {
  const server = await startEmulator(options)
  try {
    const client = await connectClient({ connectionString: server.connectionString, ...times })
    try {
      await use({ client, server })
    } finally {
      await client.close()
    }
  } finally {
    await server.stop()
  }
}

export type Anywhere = {
  readonly client: LogClient
  /** What the names of this test's streams begin with: the log may be shared. */
  readonly prefix: string
}

const { EVENTSTOREDB_URL } = process.env

const PLACES = {
  'the emulator': (use: (world: Anywhere) => Promise<void>) =>
    atEmulator(({ client }) => use({ client, prefix: anyPrefix() })),
  ...(EVENTSTOREDB_URL === undefined
    ? {}
    : {
        'the server': async (use: (world: Anywhere) => Promise<void>) => {
          const client = await connectClient({ connectionString: EVENTSTOREDB_URL })
          try {
            await use({ client, prefix: anyPrefix() })
          } finally {
            await client.close()
          }
        },
      }),
}

/** The emulator, and the real server if there is one. */
export const places = Object.entries(PLACES)

export const anyPrefix = (): string => `client-${randomUUID()}-`

export const anyEvent = (text = 'anything'): StreamEvent => ({
  id: randomUUID(),
  type: 'Anything',
  data: new Uint8Array(Buffer.from(text)),
  metadata: Uint8Array.of(0, 1, 255),
})

export const anyEvents = (count: number): readonly StreamEvent[] =>
  Array.from({ length: count }, (_, index) => anyEvent(`${index}`))

export const textsOf = (events: readonly StreamEvent[] | 'missing' | 'deleted'): readonly string[] => {
  if (typeof events === 'string') throw new Error(`the stream is ${events}`)
  return events.map(({ data }) => Buffer.from(data).toString())
}

/** The error that the call must end with. */
export const failureOf = async (call: Promise<unknown>): Promise<LogClientError> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof LogClientError) return error
  throw new Error(`expected a LogClientError, and got ${String(error)}`)
}

export const troubleOf = async (call: Promise<unknown>): Promise<Trouble> => (await failureOf(call)).trouble

/** Follows, and keeps what is told. */
export const followed = (client: LogClient, from: FollowFrom) => {
  const events: StoredEvent[] = []
  const told: string[] = []
  const following = client.follow(from, {
    onEvents: (some) => {
      events.push(...some)
      told.push(`${some.length} events`)
    },
    onCaughtUp: () => told.push('caught up'),
    onCheckpoint: (position) => told.push(`checkpoint ${position}`),
    onDropped: ({ trouble }) => told.push(`dropped ${trouble._tag}`),
  })
  return {
    events,
    told,
    stop: following.stop,
    caughtUp: () => until(() => told.includes('caught up')),
    dropped: () => until(() => told.some((text) => text.startsWith('dropped'))),
    has: (count: number) => until(() => events.length >= count),
  }
}

/** What is asked again while the client does not say what became of it, or that nothing did. */
export const insisted = <A>(call: () => Promise<A>, besides?: Trouble['_tag']): Promise<NonNullable<A>> =>
  until(() =>
    call().catch((error: unknown) => {
      if (!(error instanceof LogClientError)) throw error
      if (!['unknown', 'unavailable', besides].includes(error.trouble._tag)) throw error
      return undefined
    }),
  )

export const appended = async (client: LogClient, stream: string, revision: bigint, text: string): Promise<void> => {
  const events = [anyEvent(text)]
  const found = await insisted(() => client.append(stream, revision < 0n ? 'none' : revision, events))
  assert.is(found.revision, revision + 1n)
}

export const allTexts = async (client: LogClient, stream: string): Promise<readonly string[]> =>
  textsOf(await client.readStream(stream, { from: 'start', limit: 10_000 }))
