import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { port } from '../../definition/port.ts'
import { refuse } from '../../definition/refuse.ts'
import { users } from '../../organization/users.ts'
import { admitAfterDeletions } from '../api-key/new-api-keys.ts'
import { shownBundle } from '../bundle/bundle-for.ts'
import { TargetPublicKey } from '../bundle/bundle.ts'
import { DAY_SECRETS, type DaySecrets } from '../deployment-key/day-secrets.ts'
import { insideWork, needsKeyring } from '../inside-work.ts'
import { BundledKey, bundledKeyMaybe, isBundled, issueBundled, makeBundled, ShownKey } from '../session/bundled-key.ts'
import { evolveIssued, IssuedKey, sessionSeconds } from '../session/issued-keys.ts'
import { hasContact } from '../verification/contact.ts'
import { spendCode } from './spend-code.ts'
import { OtpCode, OtpId } from './verify-otp.ts'

const KIND = { issued: 'OTP_AUTH_KEY_P256', what: 'OTP Auth' } as const

export const otpAuth = operation({
  type: 'ACTIVITY_TYPE_OTP_AUTH',
  path: 'otp_auth',
  summary: 'Takes a one-time code, and gives its user a key, encrypted to the key of a client.',
  resource: 'AUTH',
  action: 'CREATE',
  intent: t.fields({ otpId: OtpId, otpCode: OtpCode, targetPublicKey: TargetPublicKey }, bundledKeyMaybe),
  result: ShownKey,
  change: IssuedKey,
  passwords: ['otpCode'],
  callers: 'own-or-parent',
  subjects: () => [],

  // The contact is sealed in the id of the code, and opened by the work alone: so it is given all that it may be.
  check: ({ otpId, otpCode, targetPublicKey, expirationSeconds }, context) => {
    const { organization } = context
    sessionSeconds(expirationSeconds, undefined, context)
    const known = Array.from(users.of(organization).values(), ({ userId, userEmail, userPhoneNumber }) => ({
      userId,
      userEmail,
      userPhoneNumber,
    }))
    return { organizationId: organization.organizationId, otpId, otpCode, to: targetPublicKey, known }
  },

  perform: {
    ...insideWork,
    needs: { [DAY_SECRETS]: port<DaySecrets>(), ...needsKeyring.needs },
    whenMissing: 'unsupported',
    performed: BundledKey,
    run: async ({ organizationId, otpId, otpCode, to, known }, { ports, activityId, atMs }) => {
      const { otpType, contact } = await spendCode(ports[DAY_SECRETS], {
        otpId,
        organizationId,
        generation: 'auth',
        activityId,
        atMs,
        codeIn: async () => otpCode,
      })
      const oldest = known.find((user) => hasContact(user, { otpType, contact }))
      if (oldest === undefined) throw refuse('RESOURCE_NOT_FOUND', 'no user of the organization has this contact')
      return makeBundled(ports.keyring, oldest.userId, to)
    },
  },
  verify: async (performed, _, { known }) => known.some(({ userId }) => isBundled(performed, userId)),

  execute: (intent, context) => {
    const { performed, find, atMs } = context
    const user = find('user', users, performed.userId)
    admitAfterDeletions(user, atMs)
    const { change, shown } = issueBundled(user, performed, intent, KIND, context)
    return { result: { userId: performed.userId, ...shown }, change }
  },

  evolve: evolveIssued,

  encodeResult: (result) => ({ ...result, credentialBundle: shownBundle(result.credentialBundle) }),
})
