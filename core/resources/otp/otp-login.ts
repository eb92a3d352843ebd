import * as t from '../../codec/t.ts'
import { decodes, operation, type ExecuteContext } from '../../definition/operation.ts'
import { port } from '../../definition/port.ts'
import { VERIFICATION_KEYS } from '../../definition/verification-keys.ts'
import { shownBundle } from '../bundle/bundle-for.ts'
import { DAY_SECRETS, type DaySecrets } from '../deployment-key/day-secrets.ts'
import { claimsIn } from '../deployment-key/token.ts'
import { insideWork, needsKeyring } from '../inside-work.ts'
import { evolveIssued, IssuedKey } from '../session/issued-keys.ts'
import {
  checkLogin,
  isLogin,
  loggedIn,
  logIn,
  loginKey,
  loginMaybe,
  loginParams,
  profilesAbove,
  Session,
} from '../session/login.ts'
import { checkUsage, ClientSignature, login as loginBy } from '../verification/client-signature.ts'
import { usersWith, userWith } from '../verification/contact.ts'
import {
  checkToken,
  claimsOf,
  needsVerificationKeys,
  takeUse,
  verificationToken,
  type VerificationClaims,
} from '../verification/verification-token.ts'
import { featureOf, needsFeature } from './contact-features.ts'

const wanted = { verificationToken: t.Text, ...loginKey }
const First = t.fields(wanted, { ...loginMaybe, clientSignature: ClientSignature })
const Second = t.fields({ ...wanted, clientSignature: ClientSignature }, loginMaybe)
type Intent = t.TypeOf<typeof First>

export const otpLogin = operation({
  type: 'ACTIVITY_TYPE_OTP_LOGIN_V2',
  path: 'otp_login',
  summary: 'Begins a session of the user whose contact a token names, with a key that the client has made.',
  resource: 'AUTH',
  action: 'CREATE',
  resultName: 'otpLoginResult',
  intent: First,
  result: Session,
  change: IssuedKey,
  passwords: ['verificationToken'],
  wire: decodes(Second, (intent): Intent => intent),
  versions: [
    { type: 'ACTIVITY_TYPE_OTP_LOGIN', resultName: 'otpLoginResult', ...decodes(First, (intent): Intent => intent) },
  ],
  callers: 'own-or-parent',
  ...loginParams,
  subjects: ({ verificationToken: token }, _ids, _activityId, organization) => {
    const claims = claimsIn(verificationToken, token)
    if (claims === undefined) return []
    const { verification_type: otpType, contact } = claims
    return usersWith(organization, { otpType, contact }).map(({ userId }) => userId)
  },
  reads: profilesAbove,

  inspectNeeds: needsVerificationKeys,
  inspect: ({ verificationToken: token, publicKey, clientSignature }, { ports }) => {
    const claims = claimsOf(token, ports[VERIFICATION_KEYS])
    checkUsage(claims, clientSignature, loginBy(publicKey))
    return claims
  },

  check: (intent, context) => {
    const { inspected: claims } = context
    return {
      toLogIn: checkLogin(intent, whoIn(claims, context), context),
      once: { tokenId: claims.id, untilMs: Number(claims.exp) },
    }
  },

  perform: {
    ...insideWork,
    needs: { [DAY_SECRETS]: port<DaySecrets>(), ...needsKeyring.needs },
    whenMissing: 'unsupported',
    performed: Session,
    run: async ({ toLogIn, once }, { ports, activityId, atMs }) => {
      await takeUse(ports[DAY_SECRETS], 'login', once, activityId)
      return logIn(ports.keyring, toLogIn, atMs)
    },
  },

  verify: async (performed, _, { toLogIn }) => isLogin(performed, toLogIn),

  execute: (intent, context) => loggedIn(intent, whoIn(context.inspected, context), context.performed, context),

  evolve: evolveIssued,

  encodeResult: ({ session }) => ({ session: shownBundle(session) }),
})

/** The user whose contact the token names. */
const whoIn = (claims: VerificationClaims, context: Pick<ExecuteContext<unknown>, 'organization' | 'atMs'>): string => {
  const { organization } = context
  const { verification_type: otpType, contact } = claims
  checkToken(claims, context)
  needsFeature(organization, featureOf(otpType)) // it may be off here, and on above, where the token is from
  return userWith(organization, { otpType, contact }).userId
}
