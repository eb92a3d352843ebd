import type { Leases } from '../../core/ports/leases.ts'
import { value } from './failures.ts'
import type { Indexer } from './indexer.ts'
import type { LinkStreams } from './link-streams.ts'
import type { LinksMarks } from './links-mark.ts'
import type { LogReader } from './log-reader.ts'

/**
 * Writes links behind the log, in no append's path: under a lease, where there is one, so that one of several processes does it. Without a lease,
 * or if two believe that they hold it, the same links are written again, which the server recognizes.
 */
export type Linker = {
  /** There may be events without links. */
  readonly wake: () => void
  /** Waits for the step under way; what is left is done by another process, or after the next opening. */
  readonly close: () => Promise<void>
}

export type LinkingPorts = {
  readonly reader: Pick<LogReader, 'readBehind' | 'hasAt'>
  readonly streams: LinkStreams
  readonly marks: LinksMarks
}

const STEP_EVENTS = 500
const STEP_BYTES = 4 * 1024 * 1024
/** New events wait so long for others whose links are written with theirs. */
const REST_MS = 500
const REST_MAX_MS = 5_000
/** How many times as long as it worked it rests while events are appended. */
const RESTS_WHILE_BUSY = 6
/** Links that are later than this are no longer put off. */
const LATE_MS = 60_000
/** When to look again whether the holder of the lease has done the work, or whether the server takes appends. */
const LOOK_AGAIN_MS = 5_000

export const LINKS_LEASE = 'countersign.links'
export const LINKS_LEASE_MS = 15_000

/** Writes the links of the next events. True if there may be more. */
export const linkStep = async ({ reader, streams, marks }: LinkingPorts): Promise<boolean> => {
  const mark = await marks.read()
  if (mark !== undefined && !(await reader.hasAt(mark.position, mark.id))) {
    await marks.drop() // the log was restored, and has not what the mark names
    return true
  }
  const found = await reader.readBehind(mark?.position ?? 0n, STEP_EVENTS, STEP_BYTES)
  const last = found.at(-1)?.stored
  if (last === undefined) return false
  await streams.write(found)
  await marks.move({ position: last.position, id: last.id })
  return true
}

/**
 * How long it rests after a step: at least half of the time, and longer while events are appended, so that a busy log is not held up. It catches
 * up when the log is quiet.
 *
 * @param workedMs  how long the step took
 * @param log  whether events came meanwhile, and since when, in ms, there have been events without links
 */
export const restMs = (
  workedMs: number,
  { isBusy, behindMs }: { readonly isBusy: boolean; readonly behindMs: number },
): number => Math.min(REST_MAX_MS, workedMs * (isBusy && behindMs < LATE_MS ? RESTS_WHILE_BUSY : 1))

/** @param indexer  knows whether the read models still belong to this log */
export const linker = (
  ports: LinkingPorts,
  { leases, indexer }: { readonly leases: Leases | undefined; readonly indexer: Pick<Indexer, 'state'> },
): Linker => {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isWanted = false
  let isClosed = false
  /** Since when there have been events without links, and when the last ones came. */
  let behindSinceMs: number | undefined
  let wokenMs = 0

  let endRest = (): void => undefined

  const rest = (begunMs: number): Promise<void> =>
    new Promise((resolve) => {
      endRest = resolve
      const nowMs = performance.now()
      const behindMs = nowMs - (behindSinceMs ?? nowMs)
      setTimeout(resolve, restMs(nowMs - begunMs, { isBusy: wokenMs > begunMs, behindMs })).unref()
    })

  const step = async (): Promise<boolean> => {
    const begunMs = performance.now()
    if (isClosed) return false
    const isMore = await linkStep(ports)
    if (!isMore) behindSinceMs = wokenMs > begunMs ? wokenMs : undefined
    return isMore && !isClosed
  }

  const workOff = async (): Promise<void> => {
    isWanted = false
    const lease = leases === undefined ? undefined : await value(leases.take(LINKS_LEASE, LINKS_LEASE_MS))
    if (leases !== undefined && lease === undefined) return again(LOOK_AGAIN_MS)
    try {
      await indexer.state()
      for (let begunMs = performance.now(); await step(); begunMs = performance.now()) {
        await rest(begunMs)
        if (lease === undefined || leases === undefined || (await value(leases.renew(lease, LINKS_LEASE_MS)))) continue
        return again(LOOK_AGAIN_MS)
      }
    } finally {
      if (lease !== undefined && leases !== undefined) await value(leases.giveUp(lease))
    }
  }

  const again = (afterMs: number): void => {
    isWanted = true
    later(afterMs)
  }

  const later = (afterMs: number): void => {
    if (timer !== undefined || isClosed) return
    timer = setTimeout(() => {
      timer = undefined
      running = workOff()
        .catch(() => again(LOOK_AGAIN_MS))
        .finally(() => {
          running = undefined
          if (isWanted) later(REST_MS)
        })
    }, afterMs)
    timer.unref()
  }

  return {
    wake: () => {
      isWanted = true
      wokenMs = performance.now()
      behindSinceMs ??= wokenMs
      if (running === undefined) later(REST_MS)
    },
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      endRest()
      await running
    },
  }
}
