import { readFileSync, statSync } from 'node:fs'

/** The stores that this process has open for writing, where the system does not say it. */
export const writtenHere = new Set<string>()

/**
 * The id of the process that holds the lock on a file; `undefined` if the system does not say it. Linux says it in `/proc/locks`. The file
 * itself must not be opened for it: a process that closes a file loses all its locks on that file.
 */
export const lockHolder = (file: string): number | undefined => {
  try {
    const { dev, ino } = statSync(file, { bigint: true })
    return holderAmong(readFileSync('/proc/locks', 'utf8'), dev, ino)
  } catch {
    return undefined // another system, or the file is gone
  }
}

/** Reads a line such as `1: POSIX  ADVISORY  WRITE 4242 fd:01:131085 1073741825 1073741825`. Lines with `->` are of those who wait. */
export const holderAmong = (locks: string, dev: bigint, ino: bigint): number | undefined => {
  for (const line of locks.split('\n')) {
    const [, pid = '', major = '', minor = '', inode = ''] =
      /^\d+: \S+ +\S+ +WRITE +(\d+) ([0-9a-f]+):([0-9a-f]+):(\d+) /.exec(line) ?? []
    if (inode !== String(ino) || BigInt(`0x${major}`) !== majorOf(dev) || BigInt(`0x${minor}`) !== minorOf(dev))
      continue
    return Number(pid)
  }
  return undefined
}

// The number of a device, as the C library of Linux packs it.
const majorOf = (dev: bigint): bigint => ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & 0xfffff000n)
const minorOf = (dev: bigint): bigint => (dev & 0xffn) | ((dev >> 12n) & 0xffffff00n)
