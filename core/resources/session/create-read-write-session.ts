import * as t from '../../codec/t.ts'
import { decodes, operation, type ExecuteContext } from '../../definition/operation.ts'
import { refuse } from '../../definition/refuse.ts'
import type { Organization } from '../../organization/state.ts'
import { users, type User } from '../../organization/users.ts'
import { ExpirationSeconds } from '../api-key/api-key-params.ts'
import { admitAfterDeletions } from '../api-key/new-api-keys.ts'
import { shownBundle } from '../bundle/bundle-for.ts'
import { TargetPublicKey } from '../bundle/bundle.ts'
import { insideWork, needsKeyring } from '../inside-work.ts'
import { BundledKey, isBundled, issueBundled, makeBundled, shownKey } from './bundled-key.ts'
import { evolveIssued, IssuedKey, sessionSeconds } from './issued-keys.ts'
import { sessionOwner, ownerIn } from './session-owner.ts'

const wanted = { targetPublicKey: TargetPublicKey }
const maybe = { apiKeyName: t.Label, expirationSeconds: ExpirationSeconds }

const ByEmail = t.fields({ ...wanted, email: t.Email }, maybe)
const ByUser = t.fields(wanted, { userId: t.Uuid, ...maybe, invalidateExisting: t.boolean })
/** Whose session it is: the user with the address or the id, and without both the caller. */
const Intent = t.fields(wanted, { email: t.Email, userId: t.Uuid, ...maybe, invalidateExisting: t.boolean })
type Intent = t.TypeOf<typeof Intent>

const Result = t.fields({ ...sessionOwner, ...shownKey })

const KIND = { issued: 'READ_WRITE_SESSION_KEY_P256', what: 'Read Write Session' } as const

export const createReadWriteSession = operation({
  type: 'ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2',
  path: 'create_read_write_session',
  summary: 'Makes a key for a session of a user, and gives it encrypted to the key of a client.',
  resource: 'AUTH',
  action: 'CREATE',
  resultName: 'createReadWriteSessionResultV2',
  intent: Intent,
  result: Result,
  change: IssuedKey,
  wire: decodes(ByUser, (intent): Intent => intent),
  versions: [
    {
      type: 'ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION',
      resultName: 'createReadWriteSessionResult',
      ...decodes(ByEmail, (intent): Intent => intent),
    },
  ],
  subjects: (intent, _ids, _activityId, organization) => {
    const named = intent.email === undefined ? intent.userId : byEmail(organization, intent.email)?.userId
    return named === undefined ? [] : [named]
  },
  isOwnCredentials: ({ userId, email }, requester, organization) =>
    (email === undefined ? (userId ?? requester) : byEmail(organization, email)?.userId) === requester,

  check: (intent, context) => {
    const user = userFor(intent, context)
    admitAfterDeletions(user, context.atMs)
    sessionSeconds(intent.expirationSeconds, undefined, context)
    return { userId: user.userId, to: intent.targetPublicKey }
  },

  perform: {
    ...insideWork,
    ...needsKeyring,
    performed: BundledKey,
    run: ({ userId, to }, { ports: { keyring } }) => makeBundled(keyring, userId, to),
  },
  verify: async (performed, _, { userId }) => isBundled(performed, userId),

  execute: (intent, context) => {
    const user = userFor(intent, context)
    const { change, shown } = issueBundled(user, context.performed, intent, KIND, context)
    return { result: { ...ownerIn(context.organization, user), ...shown }, change }
  },

  evolve: evolveIssued,

  encodeResult: (result) => ({ ...result, credentialBundle: shownBundle(result.credentialBundle) }),
})

const userFor = (
  { email, userId }: Intent,
  { organization, requester, find }: Pick<ExecuteContext<unknown>, 'organization' | 'requester' | 'find'>,
): User => {
  if (email === undefined) return find('user', users, userId ?? requester)
  const user = byEmail(organization, email)
  if (user === undefined) throw refuse.field('email', 'the e-mail address of one user')
  return user
}

/** The only user with the address. */
const byEmail = (organization: Organization, email: string): User | undefined => {
  const wanted = email.toLowerCase()
  const found = [...users.of(organization).values()].filter(({ userEmail }) => userEmail?.toLowerCase() === wanted)
  return found.length === 1 ? found[0] : undefined
}
