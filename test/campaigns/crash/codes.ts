import { generateKey } from '../../../adapters/signatures/signer.ts'
import type { Sent } from './journal.ts'
import type { Random } from './random.ts'
import type { Person } from './sending.ts'
import type { Town } from './town.ts'

/** The contact for trials, which the first root has: its code is all zeros. */
export const CONTACT = 'user@example.com'
const [RIGHT, WRONG] = ['000000', '000001']

const KEPT_MAX = 6

/** Begins a code; or says what one is, rightly or not, again and again; or signs in by a token, again and again. */
export const useCode = ({ submit, known, roots }: Town, me: Person, random: Random): Sent | undefined => {
  if (!roots.includes(me)) return undefined
  const otpId = random.pick(known.codes.slice(-KEPT_MAX))
  const verificationToken = random.pick(known.tokens.slice(-KEPT_MAX))
  const turn = random.below(5)
  if (verificationToken !== undefined && turn === 0) {
    const { publicKey } = generateKey('API_KEY_CURVE_P256')
    const parameters = { verificationToken, publicKey, expirationSeconds: '600' }
    return submit(me, 'otp_login', 'ACTIVITY_TYPE_OTP_LOGIN', parameters)
  }
  if (otpId !== undefined && turn > 1) {
    const otpCode = random.below(3) === 0 ? RIGHT : WRONG
    return submit(me, 'verify_otp', 'ACTIVITY_TYPE_VERIFY_OTP', { otpId, otpCode })
  }
  const parameters = { otpType: 'OTP_TYPE_EMAIL', contact: CONTACT, appName: 'Town', otpLength: 6, alphanumeric: false }
  return submit(me, 'init_otp', 'ACTIVITY_TYPE_INIT_OTP_V2', parameters)
}
