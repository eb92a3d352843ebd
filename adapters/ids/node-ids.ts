import { randomBytes, randomFillSync, randomUUID } from 'node:crypto'
import type { Clock } from '../../core/ports/clock.ts'
import type { Ids } from '../../core/ports/ids.ts'

export type NodeIdsOptions = {
  /** The time that event ids carry. Default: the clock of the machine. */
  readonly clock?: Pick<Clock, 'now'>
}

/**
 * Ids and bytes from the randomness of the system, read in pools: a system call for each id would cost more than the rest of a commit.
 * Event ids of one `Ids` always grow, also if the clock stands still or goes back.
 */
export const nodeIds = ({ clock = { now: Date.now } }: NodeIdsOptions = {}): Ids => {
  const digits = digitPool()
  const tick = ticks(clock, digits)
  return {
    eventId: () => {
      const { time, count } = tick()
      const variant = '89ab'.charAt(Number.parseInt(digits(1), 16) & 3) // of RFC 9562
      return `${time}-7${count.toString(16).padStart(3, '0')}-${variant}${digits(3)}-${digits(12)}`
    },
    uuid: () => randomUUID(),
    bytes: bytePool(),
  }
}

type Tick = { readonly time: string; readonly count: number }

/**
 * RFC 9562, section 6.2, method 1: the 12 bits behind the time count the ids of one millisecond. The count starts at a random number in
 * the lower half; when it is used up, the time goes one millisecond ahead of the clock.
 */
const ticks = (clock: Pick<Clock, 'now'>, digits: Digits): (() => Tick) => {
  let atMs = 0
  let time = ''
  let count = 0
  return () => {
    const now = clock.now()
    count += 1
    if (now > atMs || count > COUNT_MAX) {
      atMs = Math.max(now, atMs + 1)
      const hex = atMs.toString(16).padStart(12, '0')
      time = `${hex.slice(0, 8)}-${hex.slice(8)}`
      count = Number.parseInt(digits(3), 16) & (COUNT_MAX >> 1)
    }
    return { time, count }
  }
}

const COUNT_MAX = 0xfff

type Digits = (count: number) => string

/** Random hexadecimal digits; each is used once. */
const digitPool = (): Digits => {
  let pool = ''
  let used = 0
  return (count) => {
    if (used + count > pool.length) {
      pool = randomBytes(POOL_BYTES).toString('hex')
      used = 0
    }
    used += count
    return pool.slice(used - count, used)
  }
}

/** Random bytes; each is used once. */
const bytePool = (): ((length: number) => Uint8Array) => {
  const pool = new Uint8Array(POOL_BYTES)
  let used = POOL_BYTES
  return (length) => {
    if (length > POOL_BYTES / 4) return new Uint8Array(randomBytes(length))
    if (used + length > POOL_BYTES) {
      randomFillSync(pool)
      used = 0
    }
    const taken = pool.slice(used, used + length)
    pool.fill(0, used, used + length)
    used += length
    return taken
  }
}

const POOL_BYTES = 8192
