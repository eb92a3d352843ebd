import { readFileSync, writeFileSync } from 'node:fs'

/**
 * The most memory that a process has had in the machine since `forgetPeak`, in bytes: all of it, not the heap alone. Linux
 * tells it; elsewhere it is not a number, and nothing can be said of it.
 */
export const peakRssBytes = (pid: number): number => statusOf(pid, 'VmHWM')

export const rssBytes = (pid: number): number => statusOf(pid, 'VmRSS')

export const forgetPeak = (pid: number): void => {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5') // see proc(5)
  } catch {
    // The process is gone, or this is no Linux: the next reading says so.
  }
}

const statusOf = (pid: number, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(read(`/proc/${pid}/status`))?.[1] ?? Number.NaN) * 1024

const read = (path: string): string => {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
