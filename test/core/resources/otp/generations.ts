import { encryptOtpCodeToBundle } from '@turnkey/crypto'
import type { Failure, Json } from '../../../../core/failure.ts'
import type { E } from '../../../../core/prelude.ts'
import type { ActivityView } from '../../../../core/view/activity-view.ts'
import type { Place } from '../../world/world.ts'
import { clientKey, PLAIN, toAda, VERIFY_PLAIN, type office, type Started } from './scene.ts'

/* The three kinds of one-time codes: how each is sent, and how somebody says what it is. */

export type Sent = Started & { readonly code: string }

type Office = Awaited<ReturnType<typeof office>>
type Outcome = Promise<E.Either<Failure, ActivityView>>

export type Generation = {
  readonly name: string
  /** @param members  more parameters, or others */
  readonly send: (place: Place, mails: Office['mails'], members?: { readonly [member: string]: Json }) => Promise<Sent>
  readonly say: (place: Place, sent: Started, code: string) => Outcome
}

const sending =
  (path: string, type?: string): Generation['send'] =>
  async (place, mails, members = {}) => {
    const done = await place.done(place.root, path, { ...toAda, ...members }, type === undefined ? {} : { type })
    return { ...(Object.values(done.result)[0] as Started), code: mails.at(-1)?.secret ?? '' }
  }

/** What a client encrypts a code with: the key that a code's id came with. */
export const bundleOf = async (to: Started, code: string, publicKey = clientKey().publicKey): Promise<string> => {
  const { otpEncryptionTargetBundle = '' } = to
  const { enclaveQuorumPublic } = JSON.parse(otpEncryptionTargetBundle) as { enclaveQuorumPublic: string }
  return encryptOtpCodeToBundle(code, otpEncryptionTargetBundle, publicKey, enclaveQuorumPublic)
}

export const sayPlain: Generation['say'] = (place, { otpId }, otpCode) =>
  place.submit(place.root, 'verify_otp', { otpId, otpCode }, VERIFY_PLAIN)

export const sayEncrypted: Generation['say'] = async (place, sent, code) =>
  place.submit(place.root, 'verify_otp', { otpId: sent.otpId, encryptedOtpBundle: await bundleOf(sent, code) })

export const sayAuth: Generation['say'] = (place, { otpId }, otpCode) =>
  place.submit(place.root, 'otp_auth', { otpId, otpCode, targetPublicKey: clientKey().publicKey })

export const plain: Generation = { name: 'plain', send: sending('init_otp', PLAIN.type), say: sayPlain }
export const encrypted: Generation = { name: 'encrypted', send: sending('init_otp'), say: sayEncrypted }
export const auth: Generation = { name: 'auth', send: sending('init_otp_auth'), say: sayAuth }

export const GENERATIONS = [plain, encrypted, auth]

/** Gives the root Ada's address, so that otp_auth finds somebody. */
export const rootIsAda = async (place: Place): Promise<void> =>
  void (await place.done(place.root, 'update_user_email', { userId: place.root.userId, userEmail: toAda.contact }))

export const otherThan = (code: string): string => (code.startsWith('1') ? '2' : '1') + code.slice(1)
