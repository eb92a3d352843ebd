import { encryptOtpCodeToBundle } from '@turnkey/crypto'
import type { Json } from '../../../../core/failure.ts'
import type { Mail, Mailer } from '../../../../core/ports/mailer.ts'
import type { ShortMessage, Sms } from '../../../../core/ports/sms.ts'
import { E, TE } from '../../../../core/prelude.ts'
import { sign } from '../../../../core/keys/signing.ts'
import { sha256 } from '@noble/hashes/sha2.js'
import { decodeHex, encodeUtf8 } from '../../../../core/bytes.ts'
import { generateKey } from '../../../../adapters/signatures/signer.ts'
import { world, type BodyExtras, type Place, type Signer, type WorldOptions } from '../../world/world.ts'

/* An office that sends mails and short messages, which its tests read. */

export const postOffice = () => {
  const mails: Mail[] = []
  const messages: ShortMessage[] = []
  const mailer: Mailer = {
    send: (mail) => {
      mails.push(mail)
      return TE.right({ messageId: `<${mails.length}@example.com>`, from: 'office@example.com' })
    },
  }
  const sms: Sms = {
    send: (message) => {
      messages.push(message)
      return TE.right({ messageId: String(messages.length) })
    },
  }
  return { mails, messages, ports: { mailer, sms } }
}

export const office = async (options: WorldOptions = {}) => {
  const { ports, ...post } = postOffice()
  const made = await world({ ...options, ports: { ...ports, ...options.ports } })
  return { ...made, ...post }
}

export const ADA = 'Ada@Example.com'

export const toAda = { otpType: 'OTP_TYPE_EMAIL', contact: ADA, appName: 'Engine' }

export type Started = { readonly otpId: string; readonly otpEncryptionTargetBundle?: string }

/** Sends a code, and gives its id. */
export const sendCode = async (
  place: Place,
  signer: Signer,
  parameters: Json = toAda,
  more?: BodyExtras,
): Promise<Started> => Object.values((await place.done(signer, 'init_otp', parameters, more)).result)[0] as Started

export const PLAIN = { type: 'ACTIVITY_TYPE_INIT_OTP_V2' }
export const VERIFY_PLAIN = { type: 'ACTIVITY_TYPE_VERIFY_OTP' }

/** Says what the code is; the token, or the code and the words of the refusal. */
export const verify = async (
  place: Place,
  signer: Signer,
  otpId: string,
  otpCode: string,
  more: { readonly [member: string]: Json } = {},
): Promise<string> => {
  const verified = await place.submit(signer, 'verify_otp', { otpId, otpCode, ...more }, VERIFY_PLAIN)
  if (E.isLeft(verified)) return `${verified.left.code}: ${verified.left.message}`
  return tokenIn(verified.right.result)
}

const tokenIn = (result: { readonly [name: string]: Json }): string =>
  (result['verifyOtpResult'] as { readonly verificationToken: string }).verificationToken

/** As `verify`, encrypted by the official client. */
export const verifyEncrypted = async (
  place: Place,
  signer: Signer,
  { otpId, otpEncryptionTargetBundle = '' }: Started,
  code: string,
  publicKey: string,
): Promise<string> => {
  const signedBy = (JSON.parse(otpEncryptionTargetBundle) as { enclaveQuorumPublic: string }).enclaveQuorumPublic
  const encryptedOtpBundle = await encryptOtpCodeToBundle(code, otpEncryptionTargetBundle, publicKey, signedBy)
  return tokenIn((await place.done(signer, 'verify_otp', { otpId, encryptedOtpBundle })).result)
}

export type Claims = { readonly [claim: string]: string }
export const claimsOf = (token: string): Claims =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Claims

export type ClientKey = ReturnType<typeof generateKey>
export const clientKey = (): ClientKey => generateKey('API_KEY_CURVE_P256')

/** As clients sign what a token is used for: raw, in hex. */
export const clientSignature = (key: ClientKey, usage: Json, message = JSON.stringify(usage)) => {
  const { r, s } = sign(
    'ecdsa',
    'CURVE_P256',
    decodeHex(key.privateKey) ?? new Uint8Array(),
    sha256(encodeUtf8(message)),
  )
  return { publicKey: key.publicKey, scheme: 'CLIENT_SIGNATURE_SCHEME_API_P256', message, signature: r + s }
}

export const loginBy = (key: ClientKey, token: string, publicKey: string) =>
  clientSignature(key, { login: { publicKey }, tokenId: claimsOf(token)['id'] ?? '', type: 'USAGE_TYPE_LOGIN' })
