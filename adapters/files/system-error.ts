import { CountersignError } from '../../core/countersign-error.ts'
import { failure } from '../../core/failure.ts'

/** The error about a file that cannot be used: its code is `CONFIGURATION_INVALID`. */
export const unusable = (message: string): CountersignError =>
  new CountersignError(failure('CONFIGURATION_INVALID', message))

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
