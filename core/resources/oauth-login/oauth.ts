import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { valueOf } from '../../definition/refuse.ts'
import { isSignedByKey } from '../../identity/signed-by-key.ts'
import { SigningKey } from '../../identity/signing-key.ts'
import { users } from '../../organization/users.ts'
import { admitAfterDeletions } from '../api-key/new-api-keys.ts'
import { shownBundle } from '../bundle/bundle-for.ts'
import { TargetPublicKey } from '../bundle/bundle.ts'
import { insideWork, needsKeyring } from '../inside-work.ts'
import { OidcToken } from '../oauth-provider/oauth-provider-params.ts'
import { needsIdentityTokens } from '../oauth-provider/token-keys.ts'
import { bundledKey, bundledKeyMaybe, isBundled, issueBundled, makeBundled, ShownKey } from '../session/bundled-key.ts'
import { evolveIssued, IssuedKey, sessionSeconds } from '../session/issued-keys.ts'
import { namedBy, signedIn } from './signed-in.ts'

const KIND = { issued: 'OAUTH_KEY_P256', what: 'Oauth' } as const

export const oauth = operation({
  type: 'ACTIVITY_TYPE_OAUTH',
  path: 'oauth',
  summary: 'Takes an identity token, and gives its user a key, encrypted to the key of a client.',
  resource: 'AUTH',
  action: 'CREATE',
  intent: t.fields({ oidcToken: OidcToken, targetPublicKey: TargetPublicKey }, bundledKeyMaybe),
  result: ShownKey,
  change: IssuedKey,
  passwords: ['oidcToken'],
  callers: 'own-or-parent',
  subjects: ({ oidcToken }, _ids, _activityId, organization) => namedBy(oidcToken, organization),

  check: ({ oidcToken, targetPublicKey, expirationSeconds }, context) => {
    const userId = signedIn(oidcToken, targetPublicKey, context)
    admitAfterDeletions(context.find('user', users, userId), context.atMs)
    sessionSeconds(expirationSeconds, undefined, context)
    return { oidcToken, userId, to: targetPublicKey }
  },

  perform: {
    ...insideWork,
    needs: { ...needsIdentityTokens, ...needsKeyring.needs },
    whenMissing: 'unsupported',
    performed: t.fields({ ...bundledKey, key: SigningKey }),
    run: async ({ oidcToken, userId, to }, { ports: { identityTokens, keyring }, signal }) => {
      const key = valueOf(await identityTokens.keyOf(oidcToken, signal)())
      return { ...(await makeBundled(keyring, userId, to)), key }
    },
  },

  verify: async (performed, { oidcToken }, { userId }) =>
    isBundled(performed, userId) && (await isSignedByKey(oidcToken, performed.key)),

  execute: (intent, context) => {
    const userId = signedIn(intent.oidcToken, intent.targetPublicKey, context)
    const user = context.find('user', users, userId)
    const { change, shown } = issueBundled(user, context.performed, intent, KIND, context)
    return { result: { userId, ...shown }, change }
  },

  evolve: evolveIssued,

  encodeResult: (result) => ({ ...result, credentialBundle: shownBundle(result.credentialBundle) }),
})
