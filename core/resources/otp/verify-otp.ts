import * as t from '../../codec/t.ts'
import { decodeUtf8 } from '../../bytes.ts'
import { decodes, operation } from '../../definition/operation.ts'
import { port } from '../../definition/port.ts'
import { refuse, valueOf } from '../../definition/refuse.ts'
import { parseJson } from '../../json/parse-json.ts'
import { isPublicKey } from '../../keys/public-key.ts'
import { PublicKey } from '../api-key/api-key-params.ts'
import { EncryptedBundle, encryptedOf } from '../bundle/bundle.ts'
import { DAY_SECRETS, type DaySecrets } from '../deployment-key/day-secrets.ts'
import { signedToken } from '../deployment-key/token.ts'
import { insideWork, needsKeyring } from '../inside-work.ts'
import { verificationToken } from '../verification/verification-token.ts'
import { targetBytes } from './handle.ts'
import { secondsUpTo } from './seconds.ts'
import { invalidCode, spendCode } from './spend-code.ts'

/** The life of a token, in seconds, where the request does not say, and the longest. */
const [SECONDS, SECONDS_MAX] = [3_600, 86_400]

export const OtpId = t.refined(t.string, 'the id of a code', (text) => text !== '' && text.length <= 4_096)
export const OtpCode = t.refined(t.string, 'a code', (text) => text.length <= 64)

const Seconds = secondsUpTo(SECONDS_MAX)

const ById = { otpId: OtpId }
const Plain = t.fields({ ...ById, otpCode: OtpCode }, { expirationSeconds: Seconds, publicKey: PublicKey })
const Encrypted = t.fields({ ...ById, encryptedOtpBundle: EncryptedBundle }, { expirationSeconds: Seconds })
/** With the code in plain, or encrypted together with the key for which the token is. */
const Intent = t.fields(ById, {
  otpCode: OtpCode,
  encryptedOtpBundle: EncryptedBundle,
  expirationSeconds: Seconds,
  publicKey: PublicKey,
})
type Intent = t.TypeOf<typeof Intent>

/** The token, sealed under the secret of the day. */
const Verified = t.fields({ verificationToken: t.string })

export const verifyOtp = operation({
  type: 'ACTIVITY_TYPE_VERIFY_OTP_V2',
  path: 'verify_otp',
  summary: 'Takes a one-time code, and gives a token which says that its contact was verified.',
  resource: 'OTP',
  action: 'VERIFY',
  resultName: 'verifyOtpResult',
  intent: Intent,
  result: Verified,
  change: t.fields({}),
  passwords: ['otpCode', 'encryptedOtpBundle'],
  wire: decodes(Encrypted, (intent): Intent => intent),
  versions: [
    {
      type: 'ACTIVITY_TYPE_VERIFY_OTP',
      resultName: 'verifyOtpResult',
      ...decodes(Plain, (intent): Intent => intent),
    },
  ],

  check: (intent, { organization: { organizationId } }) => {
    const { publicKey } = intent
    if (publicKey !== undefined && !isPublicKey('CURVE_P256', publicKey))
      throw refuse.field('publicKey', 'a compressed public key of P-256')
    return { organizationId, ...intent }
  },

  perform: {
    ...insideWork,
    needs: { [DAY_SECRETS]: port<DaySecrets>(), ...needsKeyring.needs },
    whenMissing: 'unsupported',
    performed: Verified,
    run: async ({ organizationId, otpId, otpCode, encryptedOtpBundle, expirationSeconds, publicKey }, context) => {
      const { ports, activityId, atMs } = context
      const secrets = ports[DAY_SECRETS]
      let key = publicKey
      const { otpType, contact } = await spendCode(secrets, {
        otpId,
        organizationId,
        generation: encryptedOtpBundle === undefined ? 'plain' : 'encrypted',
        activityId,
        atMs,
        codeIn: async (handle) => {
          if (encryptedOtpBundle === undefined) return otpCode
          const bytes = targetBytes(secrets, otpId, handle)
          const opened = valueOf(await ports.keyring.open(bytes, encryptedOf(encryptedOtpBundle))())
          const said = opened && messageIn(opened)
          key = said?.public_key.toLowerCase()
          return said?.otp_code
        },
      })
      if (encryptedOtpBundle !== undefined && (key === undefined || !isPublicKey('CURVE_P256', key)))
        throw invalidCode()
      const token = await signedToken(verificationToken, ports.keyring, {
        exp: String(atMs + Number(expirationSeconds || SECONDS) * 1000),
        id: activityId,
        organization_id: organizationId,
        verification_type: otpType,
        contact,
        ...(key !== undefined && { public_key: key }),
        ...(encryptedOtpBundle === undefined && { generation: '1' }),
      })
      return { verificationToken: valueOf(await secrets.seal('result', token)()) }
    },
  },

  execute: (_, { performed }) => ({ result: performed, change: {} }),

  evolve: () => undefined,

  encodeResult: (result, _, reveal) => ({ verificationToken: reveal(result.verificationToken) }),
})

const Message = t.fields({ otp_code: t.string, public_key: t.string })

const messageIn = (bytes: Uint8Array): t.TypeOf<typeof Message> | undefined => {
  try {
    const json = parseJson(decodeUtf8(bytes) ?? '')
    return Message.is(json) ? json : undefined
  } catch {
    return undefined
  }
}
