import * as t from '../../codec/t.ts'
import { decodes, operation, type ExecuteContext } from '../../definition/operation.ts'
import { refuse, valueOf } from '../../definition/refuse.ts'
import { isPublicKey } from '../../keys/public-key.ts'
import type { Organization } from '../../organization/state.ts'
import { users, type User } from '../../organization/users.ts'
import { ExpirationSeconds } from '../api-key/api-key-params.ts'
import { admitAfterDeletions } from '../api-key/new-api-keys.ts'
import { shownBundle } from '../bundle/bundle-for.ts'
import { TargetPublicKey } from '../bundle/bundle.ts'
import { insideWork, needsKeyring } from '../inside-work.ts'
import { credentialBundle, isCredentialBundle } from './credential-bundle.ts'
import { evolveIssued, IssuedKey, issueKey, nameAt, sessionSeconds } from './issued-keys.ts'
import { sessionOwner, ownerIn } from './session-owner.ts'

const wanted = { targetPublicKey: TargetPublicKey }
const maybe = { apiKeyName: t.Label, expirationSeconds: ExpirationSeconds }

const ByEmail = t.fields({ ...wanted, email: t.Email }, maybe)
const ByUser = t.fields(wanted, { userId: t.Uuid, ...maybe, invalidateExisting: t.boolean })
/** Whose session it is: the user with the address or the id, and without both the caller. */
const Intent = t.fields(wanted, { email: t.Email, userId: t.Uuid, ...maybe, invalidateExisting: t.boolean })
type Intent = t.TypeOf<typeof Intent>

const Result = t.fields({ ...sessionOwner, apiKeyId: t.string, credentialBundle: t.personal(t.string, '') })

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
    performed: t.fields({ userId: t.subject(t.string), publicKey: t.string, bundle: t.personal(t.string, '') }),
    run: async ({ userId, to }, { ports: { keyring } }) => {
      const { publicKey, encrypted } = valueOf(await keyring.issueKey(to)())
      return { userId, publicKey, bundle: credentialBundle(encrypted) }
    },
  },
  verify: async ({ userId, publicKey, bundle }, _, checked) =>
    userId === checked.userId && isPublicKey('CURVE_P256', publicKey) && isCredentialBundle(bundle),

  execute: (intent, context) => {
    const { organization, performed, atMs } = context
    const { expirationSeconds, invalidateExisting, apiKeyName = nameAt('Read Write Session', atMs) } = intent
    const user = userFor(intent, context)
    const key = {
      issued: 'READ_WRITE_SESSION_KEY_P256',
      name: apiKeyName,
      publicKey: performed.publicKey,
      seconds: sessionSeconds(expirationSeconds, undefined, context),
      invalidateExisting,
    } as const
    const change = issueKey(user, key, context)
    const result = {
      ...ownerIn(organization, user),
      apiKeyId: change.apiKey.apiKeyId,
      credentialBundle: performed.bundle,
    }
    return { result, change }
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
