import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { generateKey, stamper, type SigningKey } from '../../../adapters/signatures/signer.ts'
import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import { activityIdOf, denialIdOf, fingerprintOf, resourceIds } from '../../../core/activity/identity.ts'
import type { Json } from '../../../core/failure.ts'
import { anyPasskey, paramsOf, type SoftwarePasskey } from '../../core/world/software-passkey.ts'
import { apiKeyOf, policyOf, userOf } from '../people.ts'
import { activityIn, type Answered, type Sent, type Shown } from './journal.ts'

/** One who can sign. */
export type Person = {
  readonly name: string
  readonly userId: string
  /** The header of the stamp: a key or a passkey. */
  readonly header: 'x-stamp' | 'x-stamp-webauthn'
  readonly stamp: (body: Uint8Array) => string
}

/** An organization of the harness, with its people, and what its clients know of it. */
export type Town = {
  readonly organizationId: string
  readonly roots: readonly Person[]
  readonly members: readonly Person[]
  /** Begins the organization; the server gets it at every start. */
  readonly writeGenesis: (file: string) => void
  /** What has to be there before all else works: sent until it is answered. */
  readonly setup: readonly Sent[]
  readonly known: Known
  readonly submit: (person: Person, path: string, type: string, parameters: Json) => Sent
  readonly vote: (person: Person, selection: 'approve' | 'reject', shown: Pick<Shown, 'id' | 'fingerprint'>) => Sent
  readonly query: (person: Person, path: string, members?: { readonly [member: string]: Json }) => Sent
  /** Another one's request, under one's own stamp: an approval. */
  readonly countersign: (person: Person, sent: Sent) => Sent
  readonly learn: (answered: Answered) => void
}

/** What the clients have seen so far. Ids of what may be gone by now are fine, too: then a refusal is the right answer. */
export type Known = {
  readonly tags: string[]
  readonly users: string[]
  readonly policies: string[]
  readonly keys: { readonly userId: string; readonly apiKeyId: string }[]
  readonly passkeys: { readonly userId: string; readonly authenticatorId: string }[]
  /** Activities that wait for votes. */
  readonly open: Map<string, Shown>
  readonly activities: string[]
  readonly submitted: Sent[]
}

const digest = nodeDigest()
const encode = (json: Json): Uint8Array => new TextEncoder().encode(JSON.stringify(json))

/** Roots decide alone until they ask each other; members need a second approval for nearly everything. */
export const foundTown = (rootCount = 3, memberCount = 3): Town => {
  const organizationId = randomUUID()
  const keys = (count: number): readonly SigningKey[] =>
    Array.from({ length: count }, () => generateKey('API_KEY_CURVE_P256'))
  const [rootKeys, memberKeys] = [keys(rootCount), keys(memberCount)]
  const passkeys = memberKeys.map((_, index) => (index % 2 === 0 ? undefined : anyPasskey()))
  const beginning = genesis(organizationId, rootKeys)
  const roots = peopleOf('root', rootKeys, creationOf(organizationId, beginning))
  const submit = submitIn(organizationId)
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
  const rule = "activity.resource == 'USER' || activity.resource == 'WIRE_TRANSFER'"
  const together = policyOf('members together', 'ALLOW', rule, 'approvers.count() >= 2')
  const allowing = submit(first, 'create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', together)
  const known: Known = {
    tags: [],
    users: [],
    policies: [],
    keys: [],
    passkeys: [],
    open: new Map(),
    activities: [],
    submitted: [],
  }
  return {
    organizationId,
    roots,
    members: peopleOf('member', memberKeys, settling.activityId, passkeys),
    writeGenesis: (file) => {
      const stamp = stamper(rootKeys[0] ?? generateKey('API_KEY_CURVE_P256'))(beginning)
      writeFileSync(file, JSON.stringify({ stamp, body: new TextDecoder().decode(beginning) }))
    },
    setup: [settling, allowing],
    known,
    submit,
    vote: (person, selection, { id, fingerprint }) => {
      const type = `ACTIVITY_TYPE_${selection.toUpperCase()}_ACTIVITY`
      const body = envelope(organizationId, type, { fingerprint })
      return { kind: 'vote', path: `${selection}_activity`, activityId: id, ...sentBy(organizationId, person, body) }
    },
    query: (person, path, members = {}) => {
      const body = encode({ organizationId, ...members })
      return { kind: 'query', path, activityId: '', ...sentBy(organizationId, person, body) }
    },
    countersign: (person, sent) => ({
      ...sent,
      ...sentBy(organizationId, person, sent.body),
      denialId: denialOf(organizationId, sent.body, person),
    }),
    learn: (answered) => learn(known, answered),
  }
}

const submitIn =
  (organizationId: string): Town['submit'] =>
  (person, path, type, parameters) => {
    const body = envelope(organizationId, type, parameters)
    const activityId = creationOf(organizationId, body)
    const denialId = denialOf(organizationId, body, person)
    return { kind: 'submit', path, activityId, denialId, ...sentBy(organizationId, person, body) }
  }

const sentBy = (organizationId: string, { userId, header, stamp }: Person, body: Uint8Array) => ({
  organizationId,
  userId,
  body,
  header,
  stamp: stamp(body),
})

const creationOf = (organizationId: string, body: Uint8Array): string =>
  activityIdOf(digest, organizationId, fingerprintOf(digest, body))

const denialOf = (organizationId: string, body: Uint8Array, { userId }: Person): string =>
  denialIdOf(digest, organizationId, fingerprintOf(digest, body), userId)

let nonce = 0

const envelope = (organizationId: string, type: string, parameters: Json): Uint8Array => {
  nonce += 1
  return encode({ type, timestampMs: String(Date.now()), organizationId, parameters, nonce: String(nonce) })
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
  known.tags.push(...idsIn(shown, 'createUserTagResult', 'userTagId'))
  known.users.push(...idsIn(shown, 'createUsersResult', 'userIds'))
  known.policies.push(...idsIn(shown, 'createPolicyResult', 'policyId'))
  const { parameters } = JSON.parse(new TextDecoder().decode(answered.body)) as { parameters?: { userId?: string } } // our own
  const userId = parameters?.userId ?? ''
  known.keys.push(...idsIn(shown, 'createApiKeysResult', 'apiKeyIds').map((apiKeyId) => ({ userId, apiKeyId })))
  const passkeys = idsIn(shown, 'createAuthenticatorsResult', 'authenticatorIds')
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
