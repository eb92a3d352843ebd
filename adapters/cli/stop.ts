import type { Failure } from '../../core/failure.ts'
import type { TE } from '../../core/prelude.ts'

/** The end of a command that cannot go on: one line for a person, and the exit code. `commandLine` catches it. */
export class Stop extends Error {
  readonly exitCode: number

  constructor(exitCode: number, line: string) {
    super(line)
    this.exitCode = exitCode
  }
}

/** Exit code 2: the command was given something wrong, or cannot get at what it needs. */
export const unusable = (line: string): Stop => new Stop(2, line)

/** Exit code 1: the command understood, and the answer is no. */
export const refusal = (line: string): Stop => new Stop(1, line)

/** The task's value; a failure stops the command. */
export const resultOf = async <A>(task: TE.TaskEither<Failure, A>): Promise<A> => {
  const outcome = await task()
  if (outcome._tag === 'Left') throw stopOf(outcome.left)
  return outcome.right
}

export const stopOf = ({ code, message }: Failure): Stop => {
  const hint = HINTS.find(([beginning]) => message.startsWith(beginning))?.[1]
  const line = hint === undefined ? message : `${message}: ${hint}`
  return UNUSABLE.includes(code) ? unusable(line) : refusal(line)
}

/** What helps if an operation is unknown because a host has defined it. */
export const GIVE_RESOURCES = 'if it is of a host, give the module of its resources with --resources FILE'

/** What helps after a failure whose message begins so: the core does not know the flags of this command. */
const HINTS: readonly (readonly [beginning: string, hint: string])[] = [
  ['this version does not know the operation ', GIVE_RESOURCES],
  ['readModels: this database does not belong to this log', 'here that is --adopt-read-models'],
  ['ports: expected ', 'export them with the name ports from the module of --resources'],
]

const UNUSABLE: readonly Failure['code'][] = [
  'STORE_LOCKED',
  'STORE_UNREADABLE',
  'CONFIGURATION_INVALID',
  'UNAVAILABLE',
  'INTERNAL',
]

/** The system's name of an error, such as `ENOENT`; `undefined` for other errors. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && 'syscall' in error && 'code' in error ? String(error.code) : undefined

/** The system's error about a file or a port, in words. */
export const systemReason = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return reasons[code] ?? (error instanceof Error ? error.message.split('\n', 1).join('') : 'unknown error')
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EADDRINUSE: 'the port is in use',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ECONNREFUSED: 'nobody listens there',
  EEXIST: 'it exists already',
  EIO: 'the device does not read or write',
  EISDIR: 'it is a directory',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'there is no such file or directory',
  ENOSPC: 'no space is left',
  ENOTDIR: 'a part of the path is not a directory',
  ENOTFOUND: 'there is no such host',
  EROFS: 'the file system is read-only',
}
