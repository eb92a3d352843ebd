import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { generateKey, stamper, type SigningKey } from '../../../adapters/signatures/signer.ts'
import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import { resourceIds } from '../../../core/activity/identity.ts'
import { anyPasskey, paramsOf, type SoftwarePasskey } from '../../core/world/software-passkey.ts'
import { apiKeyOf, policyOf, userOf } from '../people.ts'
import type { Child } from './children.ts'
import { CONTACT } from './codes.ts'
import { activityIn, type Answered, type Sent, type Shown } from './journal.ts'
import { encryptWallet, type KnownWallet } from './wallets.ts'
import { creationOf, envelope, sendingTo, type Person, type Sending } from './sending.ts'

/** An organization of the harness, with its people, and what its clients know of it. */
export type Town = Sending & {
  readonly organizationId: string
  readonly roots: readonly Person[]
  readonly members: readonly Person[]
  /** Begins the organization; the server gets it at every start. */
  readonly writeGenesis: (file: string) => void
  /** What has to be there before all else works: sent until it is answered. */
  readonly setup: readonly Sent[]
  readonly known: Known
  readonly learn: (answered: Answered) => void
}

/** What the clients have seen so far. Ids of what may be gone by now are fine, too: then a refusal is the right answer. */
export type Known = {
  readonly tags: string[]
  readonly users: string[]
  readonly policies: string[]
  readonly keys: { readonly userId: string; readonly apiKeyId: string }[]
  readonly passkeys: { readonly userId: string; readonly authenticatorId: string }[]
  readonly wallets: KnownWallet[]
  /** What was encrypted to the newest target of a user, and not sent yet. */
  readonly brought: Map<string, string>
  /** The ids of codes, and the tokens that somebody got for one. */
  readonly codes: string[]
  readonly tokens: string[]
  /** Activities that wait for votes. */
  readonly open: Map<string, Shown>
  readonly activities: string[]
  readonly submitted: Sent[]
  /** Organizations below this one that somebody asked for, by the activity that begins each. */
  readonly asked: Map<string, Child>
  /** Those of them that have begun, and that nobody has asked to end. */
  readonly children: Child[]
}

const digest = nodeDigest()

/** Roots decide alone until they ask each other; members need a second approval for nearly everything. */
export const foundTown = (rootCount = 3, memberCount = 3): Town => {
  const organizationId = randomUUID()
  const keys = (count: number): readonly SigningKey[] =>
    Array.from({ length: count }, () => generateKey('API_KEY_CURVE_P256'))
  const [rootKeys, memberKeys] = [keys(rootCount), keys(memberCount)]
  const passkeys = memberKeys.map((_, index) => (index % 2 === 0 ? undefined : anyPasskey()))
  const beginning = genesis(organizationId, rootKeys)
  const roots = peopleOf('root', rootKeys, creationOf(organizationId, beginning))
  const sending = sendingTo(organizationId)
  const { submit } = sending
  const [first] = roots
  if (first === undefined) throw new Error('a town needs somebody')
  const settling = submit(first, 'create_users', 'ACTIVITY_TYPE_CREATE_USERS_V4', {
    users: memberKeys.map((key, index) => {
      const passkey = passkeys[index]
      return {
        ...userOf(`member ${index}`, passkey === undefined ? [apiKeyOf(key)] : []), // who has a passkey needs no key
        authenticators: passkey === undefined ? [] : [paramsOf(passkey)],
      }
    }),
  })
  const rule = "activity.resource in ['USER', 'WIRE_TRANSFER', 'ORGANIZATION', 'WALLET', 'PRIVATE_KEY']"
  const together = policyOf('members together', 'ALLOW', rule, 'approvers.count() >= 2')
  const allowing = submit(first, 'create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', together)
  const reaching = submit(first, 'update_user_email', 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', {
    userId: first.userId,
    userEmail: CONTACT,
  })
  const known: Known = {
    tags: [],
    users: [],
    policies: [],
    keys: [],
    passkeys: [],
    wallets: [],
    brought: new Map(),
    codes: [],
    tokens: [],
    open: new Map(),
    activities: [],
    submitted: [],
    asked: new Map(),
    children: [],
  }
  return {
    ...sending,
    organizationId,
    roots,
    members: peopleOf('member', memberKeys, settling.activityId, passkeys),
    writeGenesis: (file) => {
      const stamp = stamper(rootKeys[0] ?? generateKey('API_KEY_CURVE_P256'))(beginning)
      writeFileSync(file, JSON.stringify({ stamp, body: new TextDecoder().decode(beginning) }))
    },
    setup: [settling, allowing, reaching],
    known,
    learn: (answered) => learn(known, answered),
  }
}

const genesis = (organizationId: string, rootKeys: readonly SigningKey[]): Uint8Array =>
  envelope(organizationId, 'ACTIVITY_TYPE_CREATE_ORGANIZATION', {
    organizationName: 'Town',
    rootUsers: rootKeys.map((key, index) => userOf(`root ${index}`, [apiKeyOf(key)])),
    rootQuorumThreshold: 1,
  })

/** Ids follow from the activity: first a user's, then that of the user's key or passkey. */
const peopleOf = (
  name: string,
  keys: readonly SigningKey[],
  activityId: string,
  passkeys: readonly (SoftwarePasskey | undefined)[] = [],
): readonly Person[] => {
  const ids = resourceIds(digest, activityId)
  return keys.map((key, index) => {
    const userId = ids()
    ids() // the credential's
    const passkey = passkeys[index]
    return passkey === undefined
      ? { name: `${name} ${index}`, userId, header: 'x-stamp', stamp: stamper(key) }
      : { name: `${name} ${index}`, userId, header: 'x-stamp-webauthn', stamp: (body) => passkey.stamp(body) }
  })
}

const learn = (known: Known, answered: Answered): void => {
  if (answered.kind === 'submit' && answered.status === 200) known.submitted.push(answered)
  const shown = activityIn(answered)
  if (shown === undefined) return
  known.activities.push(shown.id)
  if (shown.status === 'ACTIVITY_STATUS_CONSENSUS_NEEDED') known.open.set(shown.id, shown)
  else known.open.delete(shown.id)
  if (shown.status !== 'ACTIVITY_STATUS_COMPLETED') return
  const child = known.asked.get(shown.id)
  if (child !== undefined && !child.isKnown) {
    child.isKnown = true
    known.children.push(child)
  }
  known.tags.push(...idsIn(shown, 'createUserTagResult', 'userTagId'))
  known.users.push(...idsIn(shown, 'createUsersResult', 'userIds'))
  known.policies.push(...idsIn(shown, 'createPolicyResult', 'policyId'))
  const { parameters } = JSON.parse(new TextDecoder().decode(answered.body)) as { parameters?: { userId?: string } } // our own
  const userId = parameters?.userId ?? ''
  known.keys.push(...idsIn(shown, 'createApiKeysResult', 'apiKeyIds').map((apiKeyId) => ({ userId, apiKeyId })))
  const passkeys = idsIn(shown, 'createAuthenticatorsResult', 'authenticatorIds')
  for (const result of ['createWalletResult', 'importWalletResult']) {
    const [address = ''] = idsIn(shown, result, 'addresses')
    known.wallets.push(...idsIn(shown, result, 'walletId').map((walletId) => ({ walletId, address })))
  }
  for (const bundle of idsIn(shown, 'initImportWalletResult', 'importBundle')) encryptWallet(known, bundle)
  known.codes.push(...idsIn(shown, 'initOtpResult', 'otpId'))
  known.tokens.push(...idsIn(shown, 'verifyOtpResult', 'verificationToken').filter((token) => token !== ''))
  known.passkeys.push(...passkeys.map((authenticatorId) => ({ userId, authenticatorId })))
}

const idsIn = ({ result }: Shown, member: string, name: string): readonly string[] => {
  const inside = result[member]
  const found =
    typeof inside === 'object' && inside !== null
      ? new Map<string, unknown>(Object.entries(inside)).get(name)
      : undefined
  return (Array.isArray(found) ? found : [found]).filter((id): id is string => typeof id === 'string')
}
