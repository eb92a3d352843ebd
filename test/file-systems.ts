import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file system of a test's own: what is done to it, nobody else meets. */
export type FileSystem = {
  readonly path: string
  /** The words before a command that is to see it. */
  readonly through: readonly string[]
  /** Runs a line of shell that sees it, and answers with what that printed. */
  readonly shell: (line: string) => string
  readonly remove: () => void
}

type Remountable = FileSystem & { readonly remount: (as: 'ro' | 'rw') => void }

/**
 * A small file system in memory: mounted by root, or else where a user may be root, in a namespace of processes of its own.
 * `undefined` where neither is allowed.
 */
export const inMemory = async (megabytes: number): Promise<Remountable | undefined> => {
  const path = mkdtempSync(join(tmpdir(), 'countersign-mount-'))
  const mount = `mount -t tmpfs -o size=${megabytes}m tmpfs ${path}`
  if (works(mount)) return remountable(fileSystem(path, [], () => execFileSync('umount', ['-l', path])))
  const holder = spawn('unshare', ['-rm', 'sh', '-c', `${mount} && echo mounted && exec sleep 600`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const isMounted = await new Promise<boolean>((resolve) => {
    holder.stdout.once('data', () => resolve(true))
    holder.once('error', () => resolve(false))
    holder.once('close', () => resolve(false))
  })
  if (!isMounted) return without(path)
  const through = ['nsenter', '--preserve-credentials', '-U', '-m', '-t', String(holder.pid), '--']
  return remountable(fileSystem(path, through, () => holder.kill()))
}

/** With source and type: or else the user of a namespace is refused options that the mount has already. */
const remountable = (made: FileSystem): Remountable => ({
  ...made,
  remount: (as) => void made.shell(`mount -t tmpfs -o remount,${as} tmpfs ${made.path}`),
})

/** One on a disk, which is a file: mounted by root, through a loop device. `undefined` where that is not allowed. */
export const onDisk = (megabytes: number): (FileSystem & { readonly mountAgain: () => void }) | undefined => {
  const path = mkdtempSync(join(tmpdir(), 'countersign-mount-'))
  const image = `${path}.image`
  const mount = `mount -t ext4 -o loop,errors=remount-ro ${image} ${path}`
  if (!works(`truncate -s ${megabytes}M ${image} && mkfs.ext4 -q -F ${image} && ${mount}`)) {
    rmSync(image, { force: true })
    return without(path)
  }
  const unmount = () => execFileSync('umount', [path])
  const made = fileSystem(path, [], () => {
    execFileSync('umount', ['-l', path])
    rmSync(image)
  })
  return {
    ...made,
    mountAgain: () => {
      unmount()
      made.shell(mount)
    },
  }
}

const fileSystem = (path: string, through: readonly string[], unmount: () => void): FileSystem => ({
  path,
  through,
  shell: (line) => {
    const [command, ...words] = [...through, 'sh', '-c', line]
    return execFileSync(command, words, { encoding: 'utf8' })
  },
  remove: () => {
    unmount()
    rmSync(path, { recursive: true, force: true })
  },
})

const works = (line: string): boolean => {
  try {
    execFileSync('sh', ['-c', line], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const without = (path: string): undefined => {
  rmSync(path, { recursive: true })
  return undefined
}
