import type { Failure, FailureCode } from '../../core/failure.ts'
import type { TE } from '../../core/prelude.ts'

/** The end of a command that cannot go on: one line for a person, and the exit code. `main` catches it. */
export class Stop extends Error {
  readonly exitCode: 1 | 2

  constructor(exitCode: 1 | 2, line: string) {
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

export const stopOf = ({ code, message }: Failure): Stop =>
  UNUSABLE.includes(code) ? unusable(message) : refusal(message)

const UNUSABLE: readonly FailureCode[] = [
  'STORE_LOCKED',
  'STORE_UNREADABLE',
  'CONFIGURATION_INVALID',
  'UNAVAILABLE',
  'INTERNAL',
]

/** The system's name of an error, such as `ENOENT`; `undefined` of one that is not the system's. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && 'syscall' in error && 'code' in error ? String(error.code) : undefined

/** What the system says about a file or a port, in words. */
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
