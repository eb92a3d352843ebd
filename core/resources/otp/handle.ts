import * as t from '../../codec/t.ts'
import { refuse, valueOf } from '../../definition/refuse.ts'
import { parseJson } from '../../json/parse-json.ts'
import { newPrivateKey, publicKeyOf, randomBytesOf, uncompressed } from '../../keys/public-key.ts'
import type { DaySecrets } from '../deployment-key/day-secrets.ts'
import { OtpType } from '../verification/contact.ts'

/*
 * The id of a one-time code is a handle: what is to be known of the code, sealed under the secret of the day. Nothing of a code is stored, for it is
 * derived from that secret; and when the secret is deleted, nobody can tell any more what an id was about.
 */

export const Handle = t.fields(
  {
    /** The activity that sent the code: it names the code. */
    activityId: t.string,
    organizationId: t.string,
    otpType: OtpType,
    contact: t.string,
    length: t.number,
    alphanumeric: t.boolean,
    /** Which paths take the code: `verify_otp` with the code in plain, or encrypted, or `otp_auth`. */
    generation: t.keyof({ plain: null, encrypted: null, auth: null }),
    endsAtMs: t.number,
  },
  {
    /** One of the contacts for trials: its code is all zeros. */
    isSandbox: t.boolean,
  },
)
export type Handle = t.TypeOf<typeof Handle>

export const otpIdOf = async (secrets: DaySecrets, handle: Handle): Promise<string> =>
  valueOf(await secrets.seal('code', JSON.stringify(handle))())

/** What an id is about; `undefined` where it was altered, or comes from elsewhere, or its day is gone. */
export const handleIn = (secrets: DaySecrets, otpId: string): Handle | undefined => {
  const opened = secrets.open('code', otpId)
  if (opened === undefined) return undefined
  const handle = parseJson(opened)
  return Handle.is(handle) ? handle : undefined
}

const DIGITS = '0123456789'
/** Crockford's base 32: without I, L, O and U. */
const LETTERS_AND_DIGITS = `${DIGITS}ABCDEFGHJKMNPQRSTVWXYZ`
const CODE_BYTES = 32

/** The code of an id. The same activity has the same code on the same day, whenever its id was sealed. */
export const codeOf = (secrets: DaySecrets, otpId: string, handle: Handle): string => {
  const { activityId, length, alphanumeric, isSandbox = false } = handle
  if (isSandbox) return '0'.repeat(length)
  const alphabet = alphanumeric ? LETTERS_AND_DIGITS : DIGITS
  let rest = derived(secrets, otpId, `code ${activityId}`)
    .subarray(0, CODE_BYTES)
    .reduce((number, byte) => number * 256n + BigInt(byte), 0n)
  let code = ''
  while (code.length < length) {
    code += alphabet[Number(rest % BigInt(alphabet.length))] ?? ''
    rest /= BigInt(alphabet.length)
  }
  return code
}

/** The bytes that make the private key to which a client encrypts its code. */
export const targetBytes = (secrets: DaySecrets, otpId: string, { activityId }: Handle): Uint8Array =>
  derived(secrets, otpId, `target ${activityId}`).subarray(0, randomBytesOf('CURVE_P256'))

/** That key's public half: uncompressed, in lower-case hex. */
export const targetOf = (bytes: Uint8Array): string =>
  uncompressed('CURVE_P256', publicKeyOf('CURVE_P256', newPrivateKey('CURVE_P256', bytes)))

const derived = (secrets: DaySecrets, otpId: string, label: string): Uint8Array => {
  const bytes = secrets.derive(otpId, label)
  if (bytes === undefined) throw refuse('UNAVAILABLE', 'the secret of the day has changed; try again')
  return bytes
}
