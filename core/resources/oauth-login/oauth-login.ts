import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { valueOf } from '../../definition/refuse.ts'
import { isSignedByKey } from '../../identity/signed-by-key.ts'
import { SigningKey } from '../../identity/signing-key.ts'
import { PublicKey } from '../api-key/api-key-params.ts'
import { shownBundle } from '../bundle/bundle-for.ts'
import { insideWork, needsKeyring } from '../inside-work.ts'
import { OidcToken } from '../oauth-provider/oauth-provider-params.ts'
import { needsIdentityTokens } from '../oauth-provider/token-keys.ts'
import { evolveIssued, IssuedKey } from '../session/issued-keys.ts'
import {
  checkLogin,
  isLogin,
  loggedIn,
  logIn,
  loginMaybe,
  loginParams,
  profilesAbove,
  Session,
  session,
  type Login,
} from '../session/login.ts'
import { namedBy, signedIn } from './signed-in.ts'

/** As it was sent, in whatever case: the token is bound to this text. */
export const KeyAsSent = t.refined(t.string, 'a public key in hexadecimal digits', (text) =>
  PublicKey.is(text.toLowerCase()),
)

const Intent = t.fields({ oidcToken: OidcToken, publicKey: KeyAsSent }, loginMaybe)
type Intent = t.TypeOf<typeof Intent>

export const oauthLogin = operation({
  type: 'ACTIVITY_TYPE_OAUTH_LOGIN',
  path: 'oauth_login',
  summary: 'Begins a session of the user whom an identity token names, with a key that the client has made.',
  resource: 'AUTH',
  action: 'CREATE',
  intent: Intent,
  result: Session,
  change: IssuedKey,
  passwords: ['oidcToken'],
  callers: 'own-or-parent',
  ...loginParams,
  subjects: ({ oidcToken }, _ids, _activityId, organization) => namedBy(oidcToken, organization),
  reads: profilesAbove,

  check: (intent, context) => {
    const { oidcToken, publicKey } = intent
    return { oidcToken, toLogIn: checkLogin(loginIn(intent), signedIn(oidcToken, publicKey, context), context) }
  },

  perform: {
    ...insideWork,
    needs: { ...needsIdentityTokens, ...needsKeyring.needs },
    whenMissing: 'unsupported',
    performed: t.fields({ ...session, key: SigningKey }),
    run: async ({ oidcToken, toLogIn }, { ports: { identityTokens, keyring }, atMs, signal }) => {
      const key = valueOf(await identityTokens.keyOf(oidcToken, signal)())
      return { ...(await logIn(keyring, toLogIn, atMs)), key }
    },
  },

  verify: async (performed, { oidcToken }, { toLogIn }) =>
    isLogin(performed, toLogIn) && (await isSignedByKey(oidcToken, performed.key)),

  execute: (intent, context) => {
    const { userId, session } = context.performed
    const { oidcToken, publicKey } = intent
    return loggedIn(loginIn(intent), signedIn(oidcToken, publicKey, context), { userId, session }, context)
  },

  evolve: evolveIssued,

  encodeResult: ({ session }) => ({ session: shownBundle(session) }),
})

/** With the key as the organization keeps it. */
const loginIn = ({ publicKey, ...intent }: Intent): Login => ({ ...intent, publicKey: publicKey.toLowerCase() })
