/** What goes wrong on purpose. */
import type { Address } from './refusals.ts'

export type FaultName =
  /** The connection ends, with nothing written. */
  | 'cut-before-write'
  /** The write is done, and the connection ends before the answer. */
  | 'cut-after-write'
  /** Nothing is written, and no answer ever comes. */
  | 'silent-before-write'
  /** The write is done, and no answer ever comes. */
  | 'silent-after-write'
  /** The server gives up, as it does when too few nodes acknowledge in time; nothing is written. */
  | 'timeout-before-write'
  /** The same, but the write is done. */
  | 'timeout-after-write'
  /** Writes and reads wait for `gate`. */
  | 'held'
  /** The connection ends after `after` events of a read or subscription. */
  | 'cut-read'
  /** No more events come after `after` of them, and no end. */
  | 'silent-read'
  /** The server drops the subscription after `after` events, as it does with readers that are too slow. */
  | 'drop-subscription'
  /** Answers that another node leads, with its address. */
  | 'not-leader'
  /** Answers that another node leads, and does not know which. */
  | 'no-leader-info'
  /** Answers that it is not ready: a leader is being elected. */
  | 'not-ready'
  | 'too-busy'

export type FaultOptions = {
  /** Hits every n-th call that it could hit. Default: each. */
  readonly every?: number
  /** How many calls it hits before it is over. Default: no end. */
  readonly times?: number
  /** Hits these calls only. Default: all that it can hit. */
  readonly calls?: readonly FaultyCall[]
  /** Hits calls on streams whose names begin so. */
  readonly stream?: string
  readonly gate?: Promise<unknown>
  readonly after?: number
  /** The node that leads, for `not-leader`. */
  readonly leader?: Address
}

export type FaultyCall = 'append' | 'delete' | 'read' | 'subscribe'

export type Fault = { readonly name: FaultName } & FaultOptions

export type Faults = {
  /** Begins a fault. Returns the way to end it. */
  readonly add: (name: FaultName, options?: FaultOptions) => () => void
  readonly clear: () => void
  /** The fault that hits this call. */
  readonly take: (call: FaultyCall, stream: string) => Fault | undefined
  /** How many calls were hit, by all faults that there were. */
  readonly hits: () => number
}

const WRITES: readonly FaultyCall[] = ['append', 'delete']
const READS: readonly FaultyCall[] = ['read', 'subscribe']
const CAN_HIT: Readonly<Record<FaultName, readonly FaultyCall[]>> = {
  'cut-before-write': WRITES,
  'cut-after-write': WRITES,
  'silent-before-write': WRITES,
  'silent-after-write': WRITES,
  'timeout-before-write': WRITES,
  'timeout-after-write': WRITES,
  held: [...WRITES, ...READS],
  'cut-read': READS,
  'silent-read': READS,
  'drop-subscription': ['subscribe'],
  'not-leader': [...WRITES, ...READS],
  'no-leader-info': [...WRITES, ...READS],
  'not-ready': [...WRITES, ...READS],
  'too-busy': [...WRITES, ...READS],
}

export const createFaults = (): Faults => {
  let hits = 0
  let active: { readonly fault: Fault; seen: number; hit: number }[] = []
  return {
    add: (name, options = {}) => {
      const entry = { fault: { name, ...options }, seen: 0, hit: 0 }
      active.push(entry)
      return () => {
        active = active.filter((other) => other !== entry)
      }
    },
    clear: () => {
      active = []
    },
    take: (call, stream) => {
      for (const entry of active) {
        const { name, calls = CAN_HIT[name], stream: prefix = '', every = 1, times = Infinity } = entry.fault
        if (!CAN_HIT[name].includes(call) || !calls.includes(call) || !stream.startsWith(prefix)) continue
        if (entry.hit >= times) continue
        entry.seen += 1
        if (entry.seen % every !== 0) continue
        entry.hit += 1
        hits += 1
        return entry.fault
      }
      return undefined
    },
    hits: () => hits,
  }
}
