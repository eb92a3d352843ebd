import { resourceIds } from '../../../core/activity/identity.ts'
import { encodeUtf8 } from '../../../core/bytes.ts'
import type { Engine } from '../../../core/engine.ts'
import type { Json } from '../../../core/failure.ts'
import type { EventStore } from '../../../core/ports/event-store.ts'
import { E } from '../../../core/prelude.ts'
import type { ActivityView } from '../../../core/view/activity-view.ts'
import type { SigningKey } from '../../../adapters/signatures/signer.ts'
import type { ManualClock } from '../../../adapters/testing/office/manual-clock.ts'
import { simulatedPasskeys, type SimulatedPasskey } from '../simulate/simulated-passkeys.ts'
import type { Random } from '../simulate/random.ts'
import { manyKeys as keys, simulatedSignatures, simulatedStamp } from '../simulate/simulated-signatures.ts'

/** An organization, and what its people know. */
export type Office = {
  readonly random: Random
  readonly clock: ManualClock
  readonly organizationId: string
  readonly root: SigningKey
  readonly rootId: string
  readonly known: Known
  /** The store, if users are erased in it. */
  readonly erasesIn: EventStore | undefined
  readonly sent: { readonly path: string; readonly body: Uint8Array }[]
}

/** What answers have told so far. */
export type Known = {
  /** User ids by public key. */
  readonly users: Map<string, string>
  readonly apiKeys: { readonly userId: string; readonly apiKeyId: string }[]
  readonly passkeys: (SimulatedPasskey & { readonly userId: string; readonly authenticatorId: string })[]
  readonly tags: string[]
  readonly policies: string[]
  /** Users who were deleted. */
  readonly deleted: string[]
  open: ActivityView[]
  /** Organizations below this one, also those that have ended. */
  readonly children: Office[]
}

export const knownOf = (users: ReadonlyMap<string, string>): Known => ({
  users: new Map(users),
  apiKeys: [],
  passkeys: [],
  tags: [],
  policies: [],
  deleted: [],
  open: [],
  children: [],
})

type AskedUsers = readonly { readonly apiKeys?: readonly { readonly publicKey: string }[] }[]

const learn = (office: Office, view: ActivityView): void => {
  const { known } = office
  known.open = known.open.filter(({ id }) => id !== view.id)
  if (view.status === 'ACTIVITY_STATUS_CONSENSUS_NEEDED') known.open.push(view)
  if (view.type.includes('CREATE_SUB_ORGANIZATION')) learnOfChild(office, view)
  if (view.type.includes('DELETE_SUB_ORGANIZATION')) known.deleted.push(...known.users.values()) // all of them may be erased
  const [intent, result] = [Object.values(view.intent)[0], Object.values(view.result)[0]]
  if (intent === undefined || result === undefined) return
  const { userTagId, policyId, userIds, apiKeyIds, authenticatorIds } = result as {
    readonly [name in 'userTagId' | 'policyId']?: string
  } & { readonly [name in 'userIds' | 'apiKeyIds' | 'authenticatorIds']?: readonly string[] }
  const asked = intent as {
    readonly userId?: string
    readonly users?: AskedUsers
    readonly apiOnlyUsers?: AskedUsers
    readonly apiKeys?: readonly { readonly publicKey: string }[]
    readonly authenticators?: readonly { readonly attestation: { readonly credentialId: string } }[]
  }
  if (view.type.includes('CREATE_USER_TAG') && userTagId !== undefined) known.tags.push(userTagId)
  if (view.type.includes('CREATE_POLICY') && policyId !== undefined) known.policies.push(policyId)
  if (view.type.includes('DELETE_USERS')) known.deleted.push(...(userIds ?? []))
  else
    for (const [index, userId] of (userIds ?? []).entries())
      for (const { publicKey } of (asked.users ?? asked.apiOnlyUsers)?.[index]?.apiKeys ?? [])
        known.users.set(publicKey, userId)
  const { userId = '' } = asked
  if (view.type.includes('CREATE_AUTHENTICATORS'))
    for (const [index, authenticatorId] of (authenticatorIds ?? []).entries()) {
      const id = asked.authenticators?.[index]?.attestation.credentialId
      const passkey = simulatedPasskeys.find(({ webauthnId }) => webauthnId === id)
      if (passkey !== undefined) known.passkeys.push({ ...passkey, userId, authenticatorId })
    }
  if (!view.type.includes('CREATE_API_KEYS')) return
  for (const { publicKey } of asked.apiKeys ?? []) known.users.set(publicKey, userId)
  for (const apiKeyId of apiKeyIds ?? []) known.apiKeys.push({ userId, apiKeyId })
}

/** Its ids follow from the activity, which need not have ended: it is on its way then. */
const learnOfChild = (office: Office, { id, status, intent }: ActivityView): void => {
  if (status !== 'ACTIVITY_STATUS_PENDING' && status !== 'ACTIVITY_STATUS_COMPLETED') return
  const ids = resourceIds(simulatedSignatures, id)
  const [organizationId, rootId] = [ids(), ids()]
  const [asked] = Object.values(intent) as readonly { readonly rootUsers?: AskedUsers }[] // the form of a request
  const publicKey = asked?.rootUsers?.[0]?.apiKeys?.[0]?.publicKey
  const root = keys.find((key) => key.publicKey === publicKey)
  if (root === undefined || office.known.children.some((child) => child.organizationId === organizationId)) return
  const known = knownOf(new Map([[root.publicKey, rootId]]))
  office.known.children.push({ ...office, organizationId, root, rootId, known, sent: [] })
}

/** By the key of somebody, or by a passkey of the same user. */
const stamped = ({ random, known: { passkeys, users } }: Office, key: SigningKey, body: Uint8Array) => {
  const own = passkeys.filter(({ userId }) => userId === users.get(key.publicKey))
  const passkey = own[random.below(own.length + 1)] // undefined: the key
  const headers =
    passkey === undefined ? { 'x-stamp': simulatedStamp(key, body) } : { 'x-stamp-webauthn': passkey.stamp(body) }
  return { headers, body, address: random.chance(0.5) ? null : '192.0.2.7' }
}

export const send = async (
  office: Office,
  engine: Engine,
  key: SigningKey,
  path: string,
  body: Uint8Array,
): Promise<void> =>
  void E.map((view: ActivityView) => learn(office, view))(await engine.submit(path, stamped(office, key, body))())

export const submit = (
  office: Office,
  engine: Engine,
  key: SigningKey,
  path: string,
  parameters: Json,
): Promise<void> => {
  const { random, clock, organizationId, sent } = office
  const type = engine.catalogue.byPath(path)?.type ?? `ACTIVITY_TYPE_${path.toUpperCase()}`
  const ageMs = random.below(random.chance(0.8) ? 60_000 : 7_200_000) // some are too old
  const timestampMs = String(clock.now() - ageMs)
  const body = { type, timestampMs, organizationId, parameters, nonce: String(sent.length) }
  const bytes = encodeUtf8(JSON.stringify(body))
  sent.push({ path, body: bytes })
  return send(office, engine, key, path, bytes)
}

export const someone = ({ random, root, known: { users } }: Office): SigningKey => {
  const publicKey = random.pick([...users.keys()])
  return random.chance(0.3) ? root : (keys.find((key) => key.publicKey === publicKey) ?? root)
}

export const userOf = ({ random, known: { users } }: Office): string => random.pick([...users.values()])
