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

/** Milliseconds that a process has been on processors, with all its threads. */
export const cpuMs = (pid: number): number => {
  const fields = read(`/proc/${pid}/stat`).split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10 // user and system time, in hundredths of a second
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
