import { randomUUID } from 'node:crypto'
import { refuse } from '../../core/ports/refusal.ts'
import { troubleOf } from './failures.ts'
import type { LogClient, StreamEvent } from './log-client.ts'

/** Reads that see everything that was acknowledged before they were asked for, also where a leader was cut off and does not know it yet. */
export type Linearizable = {
  /** The same client: over a new connection, it reads only after the server has acknowledged a write. */
  readonly client: LogClient
  /** Reads behind a write that was acknowledged, and over the same connection. All who come before a write is sent share it. */
  readonly confirmed: <A>(read: () => Promise<A>) => Promise<A>
}

/** How often a connection may end between the write and the read. */
const ATTEMPTS = 3
/** A write that failed sooner has met a connection that had ended: it is sent once more. */
const AT_ONCE_MS = 1_000

/**
 * A leader without a majority answers reads, but acknowledges no write. So whoever acknowledges one had, at that moment, everything
 * that was acknowledged before.
 *
 * @param stream  gets these writes; the server keeps the last one
 * @throws what the server refuses
 */
export const linearizable = async (client: LogClient, stream: string): Promise<Linearizable> => {
  await keepLast(client, stream)
  /** The connection over which a write was acknowledged. */
  let proven: number | undefined

  const write = shared(async () => {
    const before = client.connections()
    await written(client, stream)
    if (client.connections() === before) proven = before
  })

  const behind = async <A>(needsWrite: (connection: number) => boolean, read: () => Promise<A>): Promise<A> => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const connection = client.connections()
      if (needsWrite(connection)) await write()
      const answer = await read()
      if (client.connections() === connection) return answer
    }
    throw refuse('UNAVAILABLE', 'the connection to the server kept ending: try again')
  }
  const isUnproven = (connection: number): boolean => connection !== proven

  return {
    client: {
      ...client,
      readStream: (...given) => behind(isUnproven, () => client.readStream(...given)),
      readAll: (...given) => behind(isUnproven, () => client.readAll(...given)),
    },
    confirmed: (read) => behind(() => true, read),
  }
}

/** Whoever calls waits for a run that begins after the call. Those who call before it begins wait for the same one. */
const shared = (run: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<void> | undefined
  return () => {
    if (next !== undefined) return next
    const own = running.then(() => {
      next = undefined
      return run()
    })
    next = own
    running = own.catch(() => undefined)
    return own
  }
}

const written = async (client: LogClient, stream: string): Promise<void> => {
  const begunMs = performance.now()
  try {
    await client.append(stream, 'any', [anyEvent()])
  } catch (error) {
    const tag = troubleOf(error)?._tag
    if ((tag !== 'unknown' && tag !== 'unavailable') || performance.now() - begunMs > AT_ONCE_MS) throw error
    await client.append(stream, 'any', [anyEvent()])
  }
}

const anyEvent = (): StreamEvent => ({ ...EMPTY, id: randomUUID(), type: 'countersign-confirmation' })
const EMPTY = { data: new Uint8Array(), metadata: new Uint8Array() }

/** The next scavenge removes all events of the stream but the last one. What somebody else has set stays. */
const keepLast = async (client: LogClient, stream: string): Promise<void> => {
  const metadata = `$$${stream}`
  const found = await client.readStream(metadata, { from: 'end', backwards: true, limit: 1 })
  if (found !== 'missing') return
  try {
    const data = Buffer.from('{"$maxCount":1}')
    await client.append(metadata, 'none', [{ ...EMPTY, id: randomUUID(), type: '$metadata', data }])
  } catch (error) {
    if (troubleOf(error)?._tag !== 'wrong-end') throw error // another process was faster
  }
}
