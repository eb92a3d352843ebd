import { sha256 } from '@noble/hashes/sha2.js'
import { encodeUtf8 } from '../../bytes.ts'
import { refuse, valueOf } from '../../definition/refuse.ts'
import type { DaySecrets } from '../deployment-key/day-secrets.ts'
import { codeOf, handleIn, type Handle } from './handle.ts'

/** How often somebody may say what a code is. */
const TRIES = 3

/** Whatever is wrong with a code, or with what it comes with, is refused in these words, which clients know. */
export const invalidCode = (): Error => refuse('REQUEST_INVALID', 'Invalid OTP code')

export type Attempt = {
  readonly otpId: string
  readonly organizationId: string
  readonly generation: Handle['generation']
  /** Who tries: the same activity tries once, however often it is sent. */
  readonly activityId: string
  readonly atMs: number
  /** The code that was sent, from the request; `undefined` where it cannot be read. */
  readonly codeIn: (handle: Handle) => Promise<string | undefined>
}

/**
 * Spends a code: takes one of its tries, compares, and takes the code, which is there once. The try is taken first, so that guesses that come at once are
 * no more than three.
 */
export const spendCode = async (
  secrets: DaySecrets,
  { otpId, organizationId, generation, activityId, atMs, codeIn }: Attempt,
): Promise<Handle> => {
  const handle = handleIn(secrets, otpId)
  if (handle === undefined || handle.organizationId !== organizationId || handle.generation !== generation)
    throw invalidCode()
  if (!(atMs < handle.endsAtMs)) throw invalidCode()
  const take = async (what: string, max: number): Promise<void> => {
    const taking = { name: `${what} ${handle.activityId}`, owner: activityId, max }
    if (!valueOf(await secrets.take(taking, handle.endsAtMs)())) throw invalidCode()
  }
  await take('try', TRIES)
  const given = await codeIn(handle)
  if (given === undefined || !isSame(given.toUpperCase(), codeOf(secrets, otpId, handle))) throw invalidCode()
  await take('code', 1)
  return handle
}

/** In a time that does not tell how much is the same. */
const isSame = (one: string, other: string): boolean => {
  const [a, b] = [sha256(encodeUtf8(one)), sha256(encodeUtf8(other))]
  return a.reduce((difference, byte, index) => difference | (byte ^ (b[index] ?? 0)), 0) === 0
}
