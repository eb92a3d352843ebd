import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as t from 'io-ts'
import type { Engine } from '../../../core/engine.ts'
import { decode } from '../../../core/codec/codec.ts'
import type { Json } from '../../../core/failure.ts'
import { encodeUtf8 } from '../../../core/bytes.ts'
import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import { isApiKey, isPasskey } from '../../../core/organization/credential.ts'
import { credentials } from '../../../core/organization/credentials.ts'
import { history } from '../../../core/organization/history.ts'
import { policies } from '../../../core/organization/policies.ts'
import { profile } from '../../../core/organization/profile.ts'
import { quorum } from '../../../core/organization/quorum.ts'
import { users, type User } from '../../../core/organization/users.ts'
import { features } from '../../../core/organization/features.ts'
import { allowedOrigins } from '../../../core/organization/origins.ts'
import { importTargets } from '../../../core/resources/bundle/import-targets.ts'
import { secrets } from '../../../core/resources/secret/secrets.ts'
import { sessionProfiles } from '../../../core/resources/session-profile/session-profiles.ts'
import { privateKeys } from '../../../core/resources/private-key/private-keys.ts'
import { privateKeyTags } from '../../../core/resources/private-key-tag/private-key-tags.ts'
import { walletAccounts, wallets } from '../../../core/resources/wallet/wallets.ts'
import { webhookEndpoints } from '../../../core/resources/webhook-endpoint/webhook-endpoints.ts'
import { userTags } from '../../../core/resources/user-tag/user-tags.ts'
import { hostState } from '../../core/world/with-host.ts'
import type { EventStore } from '../../../core/ports/event-store.ts'
import { signingKey, type SigningKey } from '../../../adapters/signatures/signer.ts'
import { stampedRequest } from '../../../adapters/signatures/stamped-request.ts'
import { right } from '../../core/world/world.ts'

/** What is known of the golden log besides its bytes: what it has to replay to, and what an audit of it counts. */
export const Facts = t.strict({
  /** The private keys of root users. They are good for this log alone. */
  roots: t.array(t.strict({ organizationId: t.string, privateKey: t.string })),
  audit: t.strict({
    activities: t.number,
    stamps: t.number,
    decisions: t.number,
    executions: t.number,
    erased: t.number,
  }),
  /** By organization id: the hash of its state. */
  states: t.record(t.string, t.string),
  /** By organization id: the hash of what its queries answer. */
  answers: t.record(t.string, t.string),
})
export type Facts = t.TypeOf<typeof Facts>

export type GoldenLog = { readonly text: Uint8Array; readonly facts: Facts }

/** An export of a history in which everything happens. `npm run golden` makes it anew. */
export const GOLDEN = fileURLToPath(new URL('./log.jsonl', import.meta.url))
export const FACTS = fileURLToPath(new URL('./facts.json', import.meta.url))

export const goldenLog = (): GoldenLog => ({
  text: new Uint8Array(readFileSync(GOLDEN)),
  facts: right(decode(Facts, 'facts')(JSON.parse(readFileSync(FACTS, 'utf8')))),
})

/** The hash of a value, however the members of its objects are ordered. */
export const hashIn = (value: Json): string => nodeDigest().sha256Hex(encodeUtf8(JSON.stringify(sorted(value))))

const sorted = (value: Json): Json => {
  if (Array.isArray(value)) return (value as readonly Json[]).map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  )
}

/** The key of a root user, by organization id. */
export const keyOf = ({ roots }: Pick<Facts, 'roots'>, organizationId: string): SigningKey => {
  const root = roots.find((one) => one.organizationId === organizationId)
  return right(signingKey('API_KEY_CURVE_P256', root?.privateKey ?? ''))
}

/** The organization's state as JSON, in the form of the facts: what a replay of its log comes to. */
export const stateOf = async (engine: Engine, organizationId: string): Promise<Json> => {
  const organization = right(await engine.replayOrganization(organizationId)()).state
  const { updatedAtMs, waiting } = history.of(organization)
  const lists = (map: ReadonlyMap<string, unknown>) => [...map.values()]
  return plain({
    organizationId,
    ...profile.of(organization),
    updatedAtMs,
    users: [...users.of(organization).values()].map(userIn),
    userTags: lists(userTags.of(organization)),
    policies: lists(policies.of(organization)),
    quorum: quorum.of(organization),
    credentials: [...credentials.of(organization)].map(([name, { userId, credentialId: apiKeyId }]) => [
      name.replace('api-key:', ''),
      { userId, apiKeyId },
    ]),
    settings: { features: [...features.of(organization)], ...allowedOrigins.of(organization) },
    sessionProfiles: lists(sessionProfiles.of(organization)),
    wallets: lists(wallets.of(organization)),
    walletAccounts: lists(walletAccounts.of(organization)),
    privateKeys: lists(privateKeys.of(organization)),
    privateKeyTags: lists(privateKeyTags.of(organization)),
    secrets: lists(secrets.of(organization)),
    importTargets: [...importTargets.of(organization)],
    webhookEndpoints: lists(webhookEndpoints.of(organization)),
    host: [...hostState.of(organization)],
    waiting,
  })
}

const userIn = ({ credentials: own, deletedCredentials, mfaPolicies, ...user }: User) => ({
  ...user,
  mfaPolicies: [...mfaPolicies.values()],
  apiKeys: [...own.values()]
    .filter(isApiKey)
    .map(({ kind: _, credentialId: apiKeyId, userId: __, label: apiKeyName, ...key }) => ({
      apiKeyId,
      apiKeyName,
      ...key,
    })),
  passkeys: [...own.values()].filter(isPasskey).map(({ kind: _, userId: __, ...passkey }) => passkey),
  deletedApiKeys: [...deletedCredentials],
})

/** What an engine answers a root user who asks for everything. */
export const answersOf = async (
  engine: Engine,
  store: EventStore,
  organizationId: string,
  key: SigningKey,
): Promise<Json> => {
  const ask = async (path: string, members: { readonly [member: string]: Json } = {}): Promise<Json> =>
    right(await engine.query(path, stampedRequest(key, { organizationId, ...members }))())
  const paths = [
    'list_users',
    'list_user_tags',
    'list_policies',
    'get_organization_configs',
    'list_wallets',
    'list_private_keys',
    'list_private_key_tags',
    'list_secrets',
    'list_webhook_endpoints',
  ]
  const lists = await Promise.all(paths.map(async (path) => [path, await ask(path)] as const))
  const activities: { [id: string]: Json } = {}
  for (const id of await activityIds(store, organizationId)) {
    const { activity } = (await ask('get_activity', { activityId: id })) as {
      readonly activity: { readonly [member: string]: Json }
    }
    const { policyEvaluations } = (await ask('get_policy_evaluations', { activityId: id })) as {
      readonly policyEvaluations: Json
    }
    activities[id] = summaryOf(activity, policyEvaluations)
  }
  return plain({ ...Object.fromEntries(lists), activities })
}

/** An activity without its bodies, and without the users who voted as they are now: those would make the file large. */
const summaryOf = (activity: { readonly [member: string]: Json }, policyEvaluations: Json): Json => {
  const votes = activity.votes as readonly { readonly [member: string]: Json }[]
  const evaluated = policyEvaluations as readonly {
    readonly policyEvaluations: readonly { readonly outcome: string }[]
  }[]
  return {
    type: activity.type ?? null,
    status: activity.status ?? null,
    result: activity.result ?? null,
    failure: activity.failure ?? null,
    votes: votes.map(({ userId = '', selection = '' }) => [userId, selection]),
    outcomes: evaluated.map((one) => one.policyEvaluations.map(({ outcome }) => outcome).join(' ')),
  }
}

const activityIds = async (store: EventStore, organizationId: string): Promise<readonly string[]> => {
  const log = right(await store.readLog(organizationId, 0n, 10_000)())
  return [...new Set(log.map(({ activity }) => activity))]
}

const plain = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json // what JSON.stringify wrote
