/** Writes down what calls were answered, so that two servers can be compared: names, ids, positions and times become their order. */
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { binaryEvent, type AllStreamResolvedEvent, type EventData, type ResolvedEvent } from '@eventstore/db-client'

export type Line = { readonly call: string; readonly outcome: string }

export type Recorder = {
  /** The name of a stream of this scene. */
  readonly stream: (name: string) => string
  /** An event whose id belongs to the label, in this scene. */
  readonly event: (label: string, options?: EventOptions) => EventData
  /** Plays a call and writes its outcome down, also a failure. */
  readonly play: <T>(call: string, answer: () => Promise<T>) => Promise<T | 'silence' | undefined>
  /** Ours of these, as they are written down. */
  readonly read: (events: readonly AnyResolved[]) => unknown
  readonly note: (call: string, value: unknown) => void
  /** Everything, once all positions are known. */
  readonly lines: () => readonly Line[]
}

export type AnyResolved = ResolvedEvent | AllStreamResolvedEvent
type EventOptions = {
  readonly type?: string
  readonly data?: string | Uint8Array
  readonly metadata?: Uint8Array
  readonly id?: string
}

/** @param silenceMs  how long a call may say nothing; default: without an end */
export const createRecorder = (run: string, scene: string, silenceMs?: number): Recorder => {
  const prefix = `compare-${run}-${scene}-`
  const ids = new Map<string, string>()
  const positions = new Set<bigint>()
  const noted: { readonly call: string; readonly value: unknown }[] = []

  const idOf = (label: string): string => {
    const hash = createHash('sha256').update(`${prefix}${label}`).digest('hex')
    const id = `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
    ids.set(id, label)
    return id
  }
  const short = (text: string): string => text.replaceAll(prefix, '')

  const recordOf = (record: AnyResolved['event'] | ResolvedEvent['link']): unknown => {
    if (record === undefined) return 'nothing'
    const { streamId, id, revision, type, data, metadata, isJson, position } = record
    const bytes = data instanceof Uint8Array ? Buffer.from(data).toString('utf8').slice(0, 40) : data
    const at = position === undefined ? undefined : [position.commit, position.prepare]
    return [short(streamId), ids.get(id) ?? 'another id', revision, type, bytes, metadata ?? null, isJson, at]
  }
  const isOurs = (resolved: AnyResolved): boolean => {
    const name = (resolved.link ?? resolved.event)?.streamId ?? ''
    return name.replace('$$', '').startsWith(prefix)
  }

  return {
    stream: (name) => `${prefix}${name}`,
    event: (label, { type = 'Compared', data = label, metadata, id = idOf(label) } = {}) =>
      binaryEvent({ id, type, data: Buffer.from(data), ...(metadata && { metadata }) }),
    play: async (call, answer) => {
      try {
        const value = await within(silenceMs, answer())
        noted.push({ call, value: Array.isArray(value) ? value.filter(isOurs).map(written) : value })
        return value
      } catch (error) {
        noted.push({ call, value: failureIn(error) })
        return undefined
      }
    },
    read: (events) => events.filter(isOurs).map(written),
    note: (call, value) => void noted.push({ call, value }),
    lines: () => {
      const known = collectPositions(noted, positions)
      return noted.map(({ call, value }) => ({ call, outcome: short(textOf(value, known)) }))
    },
  }

  function written({ event, link, commitPosition }: AnyResolved): unknown {
    return { event: recordOf(event), ...(link && { link: recordOf(link) }), at: commitPosition ?? null }
  }
}

/** What became of it within the time; `silence` if nothing did. */
const within = <T>(ms: number | undefined, promise: Promise<T>): Promise<T | 'silence'> => {
  if (ms === undefined) return promise
  const over = new AbortController()
  const silence = delay(ms, 'silence' as const, { signal: over.signal })
  silence.catch(() => undefined)
  return Promise.race([promise, silence]).finally(() => over.abort())
}

/** The parts of a failure by which a program can tell it from others. */
const failureIn = (error: unknown): unknown => {
  if (!(error instanceof Error)) return { failure: String(error) }
  const parts = Object.entries(error).filter(([name]) => TELLING.has(name))
  return {
    failure: error.constructor.name,
    message: error.message.replace(/exceeded after .*/, 'exceeded'),
    ...Object.fromEntries(parts),
  }
}

const TELLING = new Set(['type', 'code', 'streamName', 'expectedVersion', 'actualVersion', 'maxAppendSize', 'leader'])

/** Numbers that can only be positions: they are larger than any revision of a comparison, but for that of a tombstone. */
const SMALLEST_POSITION = 100_000n
const LARGEST_POSITION = 2n ** 62n

const isPosition = (value: bigint): boolean => value >= SMALLEST_POSITION && value < LARGEST_POSITION

const collectPositions = (value: unknown, into: Set<bigint>): readonly bigint[] => {
  const visit = (part: unknown): void => {
    if (typeof part === 'bigint' && isPosition(part)) into.add(part)
    else if (part instanceof Uint8Array) return
    else if (typeof part === 'object' && part !== null) for (const inner of Object.values(part)) visit(inner)
  }
  visit(value)
  return [...into].toSorted((a, b) => (a < b ? -1 : 1))
}

const textOf = (value: unknown, positions: readonly bigint[]): string =>
  JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'bigint') return isPosition(part) ? `position ${positions.indexOf(part) + 1}` : `${part}`
    if (part instanceof Uint8Array) return Buffer.from(part).toString('hex')
    return part
  }) ?? 'nothing'
