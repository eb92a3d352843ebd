import * as t from '../../codec/t.ts'
import { isSameValue } from '../../definition/frozen.ts'
import type { ExecuteContext } from '../../definition/operation.ts'
import { refuse } from '../../definition/refuse.ts'
import { parentOf } from '../../organization/profile.ts'
import type { Organization } from '../../organization/state.ts'
import { users } from '../../organization/users.ts'
import type { Keyring } from '../../ports/keyring.ts'
import { ExpirationSeconds, PublicKey } from '../api-key/api-key-params.ts'
import { admitAfterDeletions } from '../api-key/new-api-keys.ts'
import { claimsIn, signedToken } from '../deployment-key/token.ts'
import { sessionProfiles } from '../session-profile/session-profiles.ts'
import { checkSessionKey, issueKey, nameAt, sessionSeconds, type IssuedKey } from './issued-keys.ts'
import { READ_WRITE, sessionToken, type SessionClaims } from './session-token.ts'

/* What all log-ins have in common: a key of the client becomes one of the user for a while, and a token tells of it. */

export const loginKey = { publicKey: PublicKey }
export const loginMaybe = {
  expirationSeconds: ExpirationSeconds,
  invalidateExisting: t.boolean,
  sessionProfileId: t.Uuid,
}
export const Login = t.fields(loginKey, loginMaybe)
export type Login = t.TypeOf<typeof Login>

/** The fields of `activity.params`. */
export const loginParams = {
  paramNames: ['session_profile_id?'],
  params: ({ sessionProfileId }: Login): { readonly session_profile_id?: string } =>
    sessionProfileId === undefined ? {} : { session_profile_id: sessionProfileId },
}

/** The organization above, whose profiles hold below. */
export const profilesAbove = ({ sessionProfileId }: Login, organization: Organization): readonly string[] => {
  const parent = sessionProfileId === undefined ? undefined : parentOf(organization)
  return parent === undefined ? [] : [parent]
}

/** The token of a session, in the personal part of its user. */
export const session = { userId: t.subject(t.string), session: t.personal(t.string, '') }
export const Session = t.fields(session)
export type Session = t.TypeOf<typeof Session>

type Context = Pick<ExecuteContext<unknown>, 'organization' | 'others' | 'limits' | 'find' | 'ids' | 'atMs'>

export type ToLogIn = { readonly userId: string; readonly seconds: number; readonly claims: Omit<SessionClaims, 'exp'> }

/** What the token of a user's session says, if nothing is against the session. */
export const checkLogin = (login: Login, userId: string, context: Context): ToLogIn => {
  const { organization, find, atMs } = context
  admitAfterDeletions(find('user', users, userId), atMs)
  const { seconds, profile, sessionProfileName } = sessionOf(login, context)
  checkSessionKey(context, login.publicKey, userId)
  const claims = {
    public_key: login.publicKey,
    session_type: sessionProfileName ?? READ_WRITE,
    user_id: userId,
    organization_id: organization.organizationId,
    ...(profile && { session_profile_id: profile.sessionProfileId, scope: profile.scope }),
  }
  return { userId, seconds, claims }
}

export const logIn = async (
  keyring: Keyring,
  { userId, seconds, claims }: ToLogIn,
  atMs: number,
): Promise<Session> => ({
  userId,
  session: await signedToken(sessionToken, keyring, { exp: Math.floor(atMs / 1000) + seconds, ...claims }),
})

/** Whether the token says what `checkLogin` gave. */
export const isLogin = ({ userId, session }: Session, { claims }: ToLogIn): boolean => {
  const signed = claimsIn(sessionToken, session)
  return userId === claims.user_id && signed !== undefined && isSameValue(signed, { exp: signed.exp, ...claims })
}

export const loggedIn = (
  login: Login,
  userId: string,
  performed: Session,
  context: Context,
): { readonly result: Session; readonly change: IssuedKey } => {
  const { find, atMs } = context
  const { seconds, profile } = sessionOf(login, context)
  checkSessionKey(context, login.publicKey, userId)
  // The work was done before, so the token ends with the key, or before it.
  const { exp = 0 } = claimsIn(sessionToken, performed.session) ?? {}
  if (exp * 1000 > atMs + seconds * 1000) throw refuse('INTERNAL', 'the token of a session ends after its key')
  const { publicKey, invalidateExisting } = login
  const name = nameAt('Session', atMs)
  const key = { issued: 'LOGIN', name, publicKey, seconds, profile, invalidateExisting } as const
  return { result: performed, change: issueKey(find('user', users, userId), key, context) }
}

/** The life of the session, and the profile that the request names: of this organization, or of the one above it. */
const sessionOf = (login: Login, context: Pick<Context, 'organization' | 'others' | 'limits'>) => {
  const { sessionProfileId, expirationSeconds } = login
  if (sessionProfileId === undefined) return { seconds: sessionSeconds(expirationSeconds, undefined, context) }
  const profile = profilesFor(context).get(sessionProfileId)
  if (profile === undefined) throw refuse.field('sessionProfileId', 'the id of a session profile')
  const { sessionProfileName, scope } = profile
  const seconds = sessionSeconds(expirationSeconds, profile.expirationSeconds, context)
  return { seconds, profile: { sessionProfileId, scope }, sessionProfileName }
}

const profilesFor = ({ organization, others }: Pick<Context, 'organization' | 'others'>) => {
  const parent = parentOf(organization)
  const onTop = parent === undefined ? organization : others.get(parent)
  return onTop === undefined ? NO_PROFILES : sessionProfiles.of(onTop)
}
const NO_PROFILES: ReturnType<typeof sessionProfiles.of> = new Map()
