import { readFileSync } from 'node:fs'

export type Read = { readonly count: number; readonly ms: number; readonly cpuMs: number; readonly peakBytes: number }

/** What a long job takes, with all its threads. */
export const timed = async (work: () => Promise<number>): Promise<Read> => {
  const [startedAt, usedBefore] = [performance.now(), process.cpuUsage()]
  const count = await work()
  const { user, system } = process.cpuUsage(usedBefore)
  return { count, ms: performance.now() - startedAt, cpuMs: (user + system) / 1000, peakBytes: peakBytes() }
}

// What Linux says of the process itself: `maxRSS` counts from the process that started it.
const peakBytes = (): number => {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024
  } catch {
    return process.resourceUsage().maxRSS * 1024
  }
}
