/** The statuses that a call ends with, with the trailers by which clients tell them apart. */
import { Metadata, status, type StatusObject } from '@grpc/grpc-js'
import type { Expected } from './event-log.ts'

export type Refusal = Pick<StatusObject, 'code' | 'details'> & { readonly metadata: Metadata }
export type Address = { readonly host: string; readonly port: number }

const refusal = (code: status, details: string, trailers: Readonly<Record<string, string>> = {}): Refusal => {
  const metadata = new Metadata()
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, value)
  return { code, details, metadata }
}

const NUMBERS = { any: -2n, exists: -4n, none: -1n } as const

export const refusals = {
  streamDeleted: (name: string) =>
    refusal(status.FAILED_PRECONDITION, `Event stream '${name}' is deleted.`, {
      exception: 'stream-deleted',
      'stream-name': name,
    }),
  wrongExpectedVersion: (name: string, expected: Expected, current: bigint) => {
    const number = typeof expected === 'bigint' ? expected : NUMBERS[expected]
    const text = `Stream: ${name}, Expected version: ${number}, Actual version: ${current}`
    return refusal(status.FAILED_PRECONDITION, `Delete failed due to WrongExpectedVersion. ${text}`, {
      exception: 'wrong-expected-version',
      'stream-name': name,
      'expected-version': `${number}`,
      'actual-version': `${current}`,
    })
  },
  maximumAppendSizeExceeded: (bytesMax: number) =>
    refusal(status.INVALID_ARGUMENT, `Maximum Append Size of ${bytesMax} Exceeded.`, {
      exception: 'maximum-append-size-exceeded',
      'maximum-append-size': `${bytesMax}`,
    }),
  accessDenied: () => refusal(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' }),
  unauthenticated: () => refusal(status.UNAUTHENTICATED, 'Unauthenticated'),
  notLeader: ({ host, port }: Address) =>
    refusal(status.NOT_FOUND, 'Leader info available', {
      exception: 'not-leader',
      'leader-endpoint-host': host,
      'leader-endpoint-port': `${port}`,
    }),
  noLeaderInfo: () => refusal(status.UNKNOWN, 'No leader info available in response'),
  notReady: () => refusal(status.UNAVAILABLE, 'Server Is Not Ready'),
  tooBusy: () => refusal(status.UNAVAILABLE, 'Server Is Too Busy'),
  timeout: (text: string): Refusal => refusal(status.ABORTED, `Operation timed out: ${text}`),
  tooSlow: (): Refusal =>
    refusals.timeout('Consumer too slow to handle event while live. Client resubscription required.'),
  unexpected: (result: 'ReadStreamResult' | 'ReadAllResult') => refusal(status.UNKNOWN, `Unexpected ${result}: Error`),
  threw: () => refusal(status.UNKNOWN, 'Exception was thrown by handler.'),
}
