import { boundedMap } from '../../core/collections/bounded-map.ts'
import { places } from '../../core/collections/places.ts'
import { failure, type Failure } from '../../core/failure.ts'
import type { Clock } from '../../core/ports/clock.ts'
import { E } from '../../core/prelude.ts'
import { away, type PublishedKey } from './published-keys.ts'

/** The keys of issuers, which are kept for a day at most. */
export type KeptKeys = {
  /** The keys of the issuer that are known now. */
  readonly known: (issuer: string) => readonly PublishedKey[]
  /**
   * The keys that the issuer publishes now. It is asked once however many ask, and gives what it gave before where it was asked less than a minute
   * ago; a second ago, where it was away and none of its keys is known. A failure forgets no key.
   */
  readonly current: (issuer: string) => Promise<Published>
}

export type Published = E.Either<Failure, readonly PublishedKey[]>

const DAY_MS = 24 * 60 * 60_000
const PAUSE_MS = 60_000
const SHORT_PAUSE_MS = 1_000

/** How much is kept: keys of 1,000 issuers, or of fewer, if they have many. */
const KEPT_MAX = 1_000
/** The length of the keys of an issuer that counts as one. */
const USUAL_LENGTH = 8_192

/**
 * How many issuers are asked at once, of those whose keys were known before, and of all others: whoever names a thousand issuers that hang takes no
 * place of a provider that people sign in with.
 */
const AT_ONCE = 16

const tooMany = failure('RATE_LIMIT_EXCEEDED', 'too many identity providers are asked at once; try again')

type Kept = {
  readonly keys: readonly PublishedKey[]
  /** When they were published; `undefined` where they never were. */
  readonly atMs: number | undefined
  readonly last: { readonly outcome: Published; readonly atMs: number } | undefined
  readonly underWay: Promise<Published> | undefined
}

const NOTHING: Kept = { keys: [], atMs: undefined, last: undefined, underWay: undefined }

/** @param publish  asks the issuer; it never rejects */
export const keptKeys = (publish: (issuer: string) => Promise<Published>, clock: Pick<Clock, 'now'>): KeptKeys => {
  const kept = boundedMap<string, Kept>(KEPT_MAX, { weightOf, canForget: ({ underWay }) => underWay === undefined })
  const { enter, leave } = places(AT_ONCE)

  /** Whether the time is less than so long ago. It may have gone back, and then nobody knows. */
  const isWithin = (sinceMs: number | undefined, lengthMs: number): boolean => {
    const passedMs = clock.now() - (sinceMs ?? -Infinity)
    return passedMs >= 0 && passedMs < lengthMs
  }
  const keysOf = ({ keys, atMs }: Kept): readonly PublishedKey[] => (isWithin(atMs, DAY_MS) ? keys : [])
  const pauseOf = (one: Kept, outcome: Published): number =>
    E.isLeft(outcome) && outcome.left.code === away.code && keysOf(one).length === 0 ? SHORT_PAUSE_MS : PAUSE_MS

  const publishedNow = async (issuer: string, before: Kept): Promise<Published> => {
    const outcome = await publish(issuer)
    const atMs = clock.now()
    const now = E.isRight(outcome) ? { keys: outcome.right, atMs } : { keys: keysOf(before), atMs: before.atMs }
    kept.set(issuer, { ...now, last: { outcome, atMs }, underWay: undefined })
    return outcome
  }

  return {
    known: (issuer) => keysOf(kept.get(issuer) ?? NOTHING),
    current: async (issuer) => {
      const before = kept.get(issuer) ?? NOTHING
      const { last, underWay, atMs } = before
      if (underWay !== undefined) return underWay
      if (last !== undefined && isWithin(last.atMs, pauseOf(before, last.outcome))) return last.outcome
      const kind = atMs === undefined ? 'new' : 'known'
      if (!enter(kind)) return E.left(tooMany)
      const asking = publishedNow(issuer, before).finally(() => leave(kind))
      kept.set(issuer, { ...before, underWay: asking })
      return asking
    },
  }
}

const weightOf = ({ keys }: Kept): number => 1 + Math.floor(JSON.stringify(keys).length / USUAL_LENGTH)
