import * as t from '../../codec/t.ts'
import { isSameValue } from '../../definition/frozen.ts'
import { operation, type ExecuteContext } from '../../definition/operation.ts'
import { refuse } from '../../definition/refuse.ts'
import { parentOf } from '../../organization/profile.ts'
import type { Organization } from '../../organization/state.ts'
import { users } from '../../organization/users.ts'
import { ExpirationSeconds, PublicKey } from '../api-key/api-key-params.ts'
import { admitAfterDeletions } from '../api-key/new-api-keys.ts'
import { shownBundle } from '../bundle/bundle-for.ts'
import { insideWork, needsKeyring } from '../inside-work.ts'
import { sessionProfiles } from '../session-profile/session-profiles.ts'
import { checkSessionKey, evolveIssued, IssuedKey, issueKey, nameAt, sessionSeconds } from './issued-keys.ts'
import { claimsIn, READ_WRITE, signedToken } from './session-token.ts'

const Intent = t.fields(
  { publicKey: PublicKey },
  { expirationSeconds: ExpirationSeconds, invalidateExisting: t.boolean, sessionProfileId: t.Uuid },
)
type Intent = t.TypeOf<typeof Intent>

/** The token of a session, in the personal part of its user. */
const Session = t.fields({ userId: t.subject(t.string), session: t.personal(t.string, '') })

export const stampLogin = operation({
  type: 'ACTIVITY_TYPE_STAMP_LOGIN',
  path: 'stamp_login',
  summary: 'Begins or renews a session of the caller, with a key that the client has made.',
  resource: 'AUTH',
  action: 'CREATE',
  intent: Intent,
  result: Session,
  change: IssuedKey,
  paramNames: ['session_profile_id?'],
  params: ({ sessionProfileId }) => (sessionProfileId === undefined ? {} : { session_profile_id: sessionProfileId }),
  subjects: () => [],
  // Clients sign in before they know their own organization: they name the one above it.
  searchesBelow: true,
  // A session may open the next one, so it counts as no new credential: what it may do, its user may.
  isOwnCredentials: () => true,
  reads: ({ sessionProfileId }, organization) => {
    const parent = sessionProfileId === undefined ? undefined : parentOf(organization)
    return parent === undefined ? [] : [parent]
  },

  check: (intent, context) => {
    const { requester, organization, find, atMs } = context
    admitAfterDeletions(find('user', users, requester), atMs)
    const { seconds, profile, sessionProfileName } = sessionOf(intent, context)
    checkSessionKey(context, intent.publicKey, requester)
    const claims = {
      public_key: intent.publicKey,
      session_type: sessionProfileName ?? READ_WRITE,
      user_id: requester,
      organization_id: organization.organizationId,
      ...(profile && { session_profile_id: profile.sessionProfileId, scope: profile.scope }),
    }
    return { seconds, claims }
  },

  perform: {
    ...insideWork,
    ...needsKeyring,
    performed: Session,
    run: async ({ seconds, claims }, { ports: { keyring }, requester, atMs }) => ({
      userId: requester,
      session: await signedToken(keyring, { exp: Math.floor(atMs / 1000) + seconds, ...claims }),
    }),
  },

  verify: async ({ userId, session }, _, { claims }) => {
    const signed = claimsIn(session)
    return userId === claims.user_id && signed !== undefined && isSameValue(signed, { exp: signed.exp, ...claims })
  },

  execute: (intent, context) => {
    const { requester, find, performed, atMs } = context
    const { seconds, profile } = sessionOf(intent, context)
    checkSessionKey(context, intent.publicKey, requester)
    // The work was done before, so the token ends with the key, or before it.
    const { exp = 0 } = claimsIn(performed.session) ?? {}
    if (exp * 1000 > atMs + seconds * 1000) throw refuse('INTERNAL', 'the token of a session ends after its key')
    const { publicKey, invalidateExisting } = intent
    const name = nameAt('Session', atMs)
    const key = { issued: 'LOGIN', name, publicKey, seconds, profile, invalidateExisting } as const
    return { result: performed, change: issueKey(find('user', users, requester), key, context) }
  },

  evolve: evolveIssued,

  encodeResult: ({ session }) => ({ session: shownBundle(session) }),
})

/** The life of the session, and the profile that the request names: of this organization, or of the one above it. */
const sessionOf = (intent: Intent, context: Pick<ExecuteContext<unknown>, 'organization' | 'others' | 'limits'>) => {
  const { sessionProfileId, expirationSeconds } = intent
  if (sessionProfileId === undefined) return { seconds: sessionSeconds(expirationSeconds, undefined, context) }
  const profile = profilesFor(context).get(sessionProfileId)
  if (profile === undefined) throw refuse.field('sessionProfileId', 'the id of a session profile')
  const { sessionProfileName, scope } = profile
  const seconds = sessionSeconds(expirationSeconds, profile.expirationSeconds, context)
  return { seconds, profile: { sessionProfileId, scope }, sessionProfileName }
}

const profilesFor = ({
  organization,
  others,
}: {
  readonly organization: Organization
  readonly others: ReadonlyMap<string, Organization>
}) => {
  const parent = parentOf(organization)
  const onTop = parent === undefined ? organization : others.get(parent)
  return onTop === undefined ? NO_PROFILES : sessionProfiles.of(onTop)
}
const NO_PROFILES: ReturnType<typeof sessionProfiles.of> = new Map()
