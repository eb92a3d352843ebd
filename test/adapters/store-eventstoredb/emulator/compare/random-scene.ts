/** A few hundred calls by chance, the same on both servers: appends with known and new ids, readings, removals, metadata. */
import { collected } from '../with-client.ts'
import type { AnyResolved, Recorder } from './recorder.ts'
import { appender, type Scene } from './scenes.ts'

const CALLS = 300

/** The same numbers in each run (mulberry32). */
const numbers = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const randomScene =
  (seed: number): Scene =>
  async (client, recorder) => {
    const next = numbers(seed)
    const below = (bound: number): number => Math.floor(next() * bound)
    const one = <T>(of: readonly T[], otherwise: T): T => of[below(of.length)] ?? otherwise
    const labels = (): readonly string[] => {
      const first = below(40)
      // Mostly in order: known ids in another order are a scene of their own.
      return Array.from({ length: 1 + below(3) }, (_, index) => `${first + index}`)
    }
    const streamName = (): string => `s${below(4)}`

    const append = async (): Promise<void> => {
      const name = streamName()
      const kind = one(['batch', 'append'] as const, 'batch')
      const expected = one(['any', 'no_stream', 'stream_exists', BigInt(below(6)), BigInt(below(12))] as const, 'any')
      const events = labels().map((label) => recorder.event(`${name}-${label}`))
      await appender(client, recorder, kind)(name, expected, events)
    }
    const read = async (): Promise<void> => {
      const name = streamName()
      const direction = one(['forwards', 'backwards'] as const, 'forwards')
      const fromRevision = one(
        ['start', BigInt(below(12)), direction === 'forwards' ? 'start' : 'end'] as const,
        'start',
      )
      const maxCount = 1 + below(5)
      await recorder.play(`read ${name} ${direction} from ${fromRevision} ${maxCount}`, () =>
        collected<AnyResolved>(client.readStream(recorder.stream(name), { direction, fromRevision, maxCount })),
      )
    }
    for (let call = 0; call < CALLS; call += 1) {
      const chance = next()
      if (chance < 0.6) await append()
      else if (chance < 0.93) await read()
      else if (chance < 0.96) await restrict(client, recorder, streamName(), below(8))
      else if (chance < 0.985) await remove(client, recorder, streamName())
      else if (call > CALLS * 0.7) await bury(client, recorder, streamName())
    }
  }

type Client = Parameters<Scene>[0]

const restrict = (client: Client, recorder: Recorder, name: string, number: number): Promise<unknown> =>
  recorder.play(`metadata of ${name} ${number}`, () =>
    client.setStreamMetadata(recorder.stream(name), number < 4 ? { maxCount: number + 1 } : { truncateBefore: number }),
  )

const remove = (client: Client, recorder: Recorder, name: string): Promise<unknown> =>
  recorder.play(`delete ${name}`, () => client.deleteStream(recorder.stream(name)))

const bury = (client: Client, recorder: Recorder, name: string): Promise<unknown> =>
  recorder.play(`tombstone ${name}`, () => client.tombstoneStream(recorder.stream(name)))
