import type { LogClient } from '../../../../adapters/store-eventstoredb/log-client.ts'

/** Says that appends to some streams are done, and does them a little later, each behind the one before. */
const lyingOf =
  (isLie: (stream: string) => boolean, lateMs: number) =>
  (client: LogClient): LogClient => {
    let position = 0n
    let last: Promise<unknown> = Promise.resolve()
    const later = (append: () => Promise<unknown>): void => {
      const late = new Promise((resolve) => setTimeout(resolve, lateMs))
      last = Promise.all([last, late]).then(() => append().catch(() => undefined))
    }
    return {
      ...client,
      append: async (stream, expected, events, options = {}) => {
        const { first = [] } = options
        if (expected !== 'any' && isLie(stream)) {
          later(() => client.append(stream, expected, events, options))
          const revision = (expected === 'none' ? -1n : expected) + BigInt(events.length)
          position += BigInt(events.length)
          return { revision, position }
        }
        for (const one of first) if (isLie(one.stream)) later(() => client.append(one.stream, 'none', [one.event]))
        const sound = first.filter((one) => !isLie(one.stream))
        const done = await client.append(stream, expected, events, { ...options, first: sound })
        ;({ position } = done)
        return done
      },
    }
  }

export const appendNotAwaited = lyingOf((stream) => stream.includes('organization-'), 250)

export const partNotAwaited = lyingOf((stream) => stream.includes('part-'), 3_000)
