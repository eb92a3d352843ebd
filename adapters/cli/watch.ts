import { setTimeout } from 'node:timers/promises'
import { selected, type Selected } from '../inbox/listing.ts'
import type { SeenActivity } from '../inbox/seen.ts'
import { entryOf } from './activity-lines.ts'
import { printRecord, printStyled, say } from './print.ts'
import { serverCalls, type CallOptions, type ServerCalls } from './server-calls.ts'
import { Stop } from './stop.ts'

export type WatchOptions = CallOptions & Selected & { readonly everySeconds: number; readonly json?: boolean }

/**
 * Prints what waits, and then each activity that is new or has changed, until a signal. It looks at the newest hundred. If the server does
 * not answer any more, it says so once, and goes on trying.
 */
export const watch = async (options: WatchOptions): Promise<number> => {
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ending.abort())
  const calls = await serverCalls(options, ending.signal)
  const show = (found: readonly SeenActivity[]): void => {
    for (const activity of found.toReversed())
      if (options.json === true) printRecord({ activity })
      else printStyled(entryOf(activity, Date.now()))
  }
  try {
    const first = await selected(calls, options, NEWEST)
    if (options.json !== true) say('Watching; Ctrl-C ends it.')
    show(first)
    await follow(calls, options, new Map(first.map((one) => [one.id, standingOf(one)])), show, ending.signal)
  } catch (error) {
    if (!ending.signal.aborted) throw error
  }
  await setTimeout(SAME_KEY_MS)
  return 0
}

/** npm passes on a Ctrl-C that the terminal has also sent: the second signal must find this process listening, or it ends by it. */
const SAME_KEY_MS = 250

const NEWEST = 100

const follow = async (
  calls: ServerCalls,
  options: WatchOptions,
  known: Map<string, string>,
  show: (found: readonly SeenActivity[]) => void,
  signal: AbortSignal,
): Promise<void> => {
  let isLost = false
  for (;;) {
    await setTimeout(options.everySeconds * 1000, undefined, { signal })
    try {
      const found = await selected(calls, options, NEWEST)
      if (isLost) say('The server answers again.')
      isLost = false
      show(found.filter((one) => known.get(one.id) !== standingOf(one)))
      known.clear() // what has left the newest hundred does not come back unless it changes
      for (const one of found) known.set(one.id, standingOf(one))
    } catch (error) {
      if (signal.aborted || !(error instanceof Stop)) throw error
      if (!isLost) say(`countersign: ${error.message}; trying again`)
      isLost = true
    }
  }
}

/** What a change of an activity changes. */
const standingOf = ({ status, votes }: SeenActivity): string => `${status} ${votes.length}`
