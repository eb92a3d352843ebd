import { createHmac, randomBytes } from 'node:crypto'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { isIpv4, ipAddressText, parseIpAddress } from '../../core/address/ip-address.ts'
import { boundedMap } from '../../core/collections/bounded-map.ts'
import { failure } from '../../core/failure.ts'
import { ProxyRefusal } from './passed-on.ts'

/** How many requests are answered in a time, by what they have in common. */
export type Rate = { readonly points: number; readonly seconds: number }

export type Rates = {
  /** Of one address, at one configuration. */
  readonly address: Rate
  /** About one e-mail address or number, at one configuration. */
  readonly contact: Rate
  /** To one path of one configuration, by all callers together. */
  readonly path: Rate
  /** Of one address, with ids that no configuration has: each costs a question to the API. */
  readonly unknown: Rate
}

/** The API has limits of its own on codes, which are lower. An address may be that of an office, or of a network of phones. */
export const RATES: Rates = {
  address: { points: 300, seconds: 60 },
  contact: { points: 30, seconds: 600 },
  path: { points: 3_000, seconds: 60 },
  unknown: { points: 30, seconds: 60 },
}

export type Kind = keyof Rates

export type Limits = {
  /** Counts a request. @throws a refusal with 429 and `Retry-After` if there were too many */
  readonly count: (kind: Kind, ...key: readonly string[]) => Promise<void>
  /** Takes the count of a request back. */
  readonly giveBack: (kind: Kind, ...key: readonly string[]) => Promise<void>
  /** How many counts are kept, for tests. */
  readonly size: () => number
}

/** How many counts of one kind are kept. Beyond it, the oldest are forgotten: whoever makes many of them needs as many addresses. */
const COUNTS_MAX = 50_000

/** Counts in memory. What it counts by is kept as a keyed hash: no address and no contact of anybody. */
export const limits = (rates: Rates = RATES, countsMax = COUNTS_MAX): Limits => {
  const secret = randomBytes(32)
  const hashed = (key: readonly string[]): string =>
    createHmac('sha256', secret).update(JSON.stringify(key)).digest('base64url')
  const counters = {
    address: counter(rates.address, countsMax),
    contact: counter(rates.contact, countsMax),
    path: counter(rates.path, countsMax),
    unknown: counter(rates.unknown, countsMax),
  }
  return {
    count: (kind, ...key) => counters[kind].count(hashed(key)),
    giveBack: (kind, ...key) => counters[kind].giveBack(hashed(key)),
    size: () => Object.values(counters).reduce((sum, { size }) => sum + size(), 0),
  }
}

const counter = ({ points, seconds }: Rate, countsMax: number) => {
  const limiter = new RateLimiterMemory({ points, duration: seconds })
  const keys = boundedMap<string, string>(countsMax, { onForgotten: (key) => void limiter.delete(key) })
  return {
    count: async (key: string): Promise<void> => {
      keys.set(key, key)
      await limiter.consume(key).catch((thrown: unknown) => {
        throw thrown instanceof RateLimiterRes ? tooMany(thrown) : thrown
      })
    },
    giveBack: async (key: string): Promise<void> => {
      if ((await limiter.get(key)) !== null) await limiter.reward(key)
    },
    size: keys.size,
  }
}

const tooMany = ({ msBeforeNext }: RateLimiterRes): ProxyRefusal =>
  new ProxyRefusal(failure('RATE_LIMIT_EXCEEDED', 'too many requests; try again later'), {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(msBeforeNext / 1_000))) },
  })

/** By what callers from elsewhere are told apart: of IPv6, one caller has at least all addresses with the same first half. */
export const placeOf = (address: string | null): string => {
  const groups = address === null ? undefined : parseIpAddress(address)
  if (groups === undefined || isIpv4(groups)) return address ?? ''
  return ipAddressText([...groups.slice(0, 4), 0, 0, 0, 0])
}
