import type { LogClient } from '../../../adapters/store-eventstoredb/log-client.ts'

const LATE_MS = 250

/** Says that appends to some streams are done, and does them a little later, each behind the one before. */
const lyingOf =
  (isLie: (stream: string) => boolean) =>
  (client: LogClient): LogClient => {
    let position = 0n
    let last: Promise<unknown> = Promise.resolve()
    return {
      ...client,
      append: async (stream, expected, events, signal) => {
        if (expected === 'any' || !isLie(stream)) {
          const done = await client.append(stream, expected, events, signal)
          ;({ position } = done)
          return done
        }
        const late = new Promise((resolve) => setTimeout(resolve, LATE_MS))
        last = Promise.all([last, late]).then(() => client.append(stream, expected, events).catch(() => undefined))
        const revision = (expected === 'none' ? -1n : expected) + BigInt(events.length)
        position += BigInt(events.length)
        return { revision, position }
      },
    }
  }

export const appendNotAwaited = lyingOf((stream) => stream.includes('organization-'))

export const partNotAwaited = lyingOf((stream) => stream.includes('part-'))
