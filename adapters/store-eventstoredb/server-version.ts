import { refused } from './worker-refusal.ts'
import type { Refused } from './worker-messages.ts'

/** Year and month of a release, such as 23 and 10; `undefined` if the server tells none, or tells something else. */
export type ServerVersion = { readonly release: readonly [number, number] | undefined; readonly isTold: boolean }

export const versionOf = (text: string | undefined): ServerVersion => {
  const [, year, month] = /^v?([0-9]{1,3})\.([0-9]{1,3})(?![0-9])/.exec(text ?? '') ?? []
  // A server that somebody has built may call itself 0.0.
  const isRelease = year !== undefined && month !== undefined && Number(year) > 0
  return { release: isRelease ? [Number(year), Number(month)] : undefined, isTold: text !== undefined }
}

/** Servers before 20.10 do not tell their version; those before 22.6 do not tell positions in reads of streams. */
export const tooOld = (version: ServerVersion): Refused | undefined =>
  !version.isTold || (version.release !== undefined && isBefore(version.release, OLDEST))
    ? refused({ _tag: 'unusable' }, 'the server is too old: EventStoreDB 22.6 or newer, or KurrentDB, is needed')
    : undefined

/** Whether a subscription tells when it has caught up. */
export const tellsCaughtUp = ({ release }: ServerVersion): boolean =>
  release === undefined || !isBefore(release, CAUGHT_UP)

const OLDEST = [22, 6] as const
const CAUGHT_UP = [23, 10] as const

const isBefore = (
  [year, month]: readonly [number, number],
  [otherYear, otherMonth]: readonly [number, number],
): boolean => year < otherYear || (year === otherYear && month < otherMonth)
