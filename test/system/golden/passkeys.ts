import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { generateKey, type SigningKey } from '../../../adapters/signatures/signer.ts'
import { encodeUtf8 } from '../../../core/bytes.ts'
import type { Engine } from '../../../core/engine.ts'
import type { Json } from '../../../core/failure.ts'
import { anyPasskey, byPasskey, paramsOf } from '../../core/resources/authenticator/passkey-world.ts'
import type { SoftwarePasskey } from '../../core/world/software-passkey.ts'
import { apple, packed, stating } from '../../core/world/statements.ts'
import { right, type Person, type TestClock } from '../../core/world/world.ts'
import { idIn, keyParams, officeOf, type Office } from './office.ts'

/** What an organization and its users are called, and may do: changed, and changed back. */
export const settings = async ({ root, done, enrol }: Office): Promise<void> => {
  const userId = (await enrol('settled')).userId
  await done(root, 'update_user_name', { userId, userName: 'settled anew' })
  for (const userEmail of ['settled@example.org', '']) await done(root, 'update_user_email', { userId, userEmail })
  for (const userPhoneNumber of ['+14155550100', ''])
    await done(root, 'update_user_phone_number', { userId, userPhoneNumber })
  const apiKeys = [{ apiKeyName: 'key', publicKey: generateKey('API_KEY_CURVE_P256').publicKey }]
  await done(root, 'create_api_only_users', { apiOnlyUsers: [{ userName: 'a machine', userTags: [], apiKeys }] })
  await done(root, 'update_organization_name', { organizationName: 'Office, renamed' })
  await done(root, 'set_organization_feature', { name: 'FEATURE_NAME_WEBHOOK', value: 'https://example.org/hook' })
  await done(root, 'remove_organization_feature', { name: 'FEATURE_NAME_WEBHOOK' })
  await done(root, 'update_allowed_origins', { allowedOrigins: ['https://example.org'] })
}

/** Endpoints that come, change and go, and one that stays. */
export const endpoints = async ({ root, done }: Office): Promise<void> => {
  const filtersJson = '{"activityStatuses":["ACTIVITY_STATUS_COMPLETED"]}'
  const subscriptions = [{ eventType: 'ACTIVITY_UPDATES', filtersJson, isActive: true }]
  const made = await done(root, 'create_webhook_endpoint', { url: 'https://example.org/a', name: 'a', subscriptions })
  await done(root, 'create_webhook_endpoint', { url: 'https://example.org:8443/b', name: 'b' })
  const endpointId = idIn(made, 'endpointId')
  await done(root, 'update_webhook_endpoint', { endpointId, name: 'quiet', isActive: false })
  await done(root, 'test_webhook_endpoint', { endpointId })
  await done(root, 'resend_webhook_deliveries', { endpointId, fromMs: '0', toMs: '1' })
  await done(root, 'delete_webhook_endpoint', { endpointId })
}

/** Passkeys of both algorithms: registered in several forms, used for everything, and deleted. */
export const passkeys = async (office: Office): Promise<void> => {
  const { person, root, done, vote, submit, answer } = office
  const ada = person('ada')
  const statements = [
    { passkey: anyPasskey('ES256'), statement: 'none' },
    { passkey: anyPasskey('RS256'), statement: 'self' },
    { passkey: anyPasskey('ES256'), statement: packed() },
    { passkey: anyPasskey('RS256'), statement: stating('apple', apple()) },
  ] as const
  const authenticators = statements.map(({ passkey, statement }, n) => paramsOf(passkey, `passkey ${n}`, { statement }))
  const registered = await done(ada, 'create_authenticators', { userId: ada.userId, authenticators })
  const { authenticatorIds } = registered.result.createAuthenticatorsResult as {
    readonly authenticatorIds: readonly string[]
  }
  const [one, two, gone] = statements.map(({ passkey }): Person => ({ ...ada, passkey }))
  const [bob, eve] = [await withPasskey(office, 'bob', 'RS256'), await withPasskey(office, 'eve', 'ES256')]
  if (one === undefined || two === undefined || gone === undefined) throw new Error('there are four')
  const first = firstForm(anyPasskey('ES256'), ada.userId)
  await done(one, 'create_authenticators', { userId: ada.userId, authenticators: [first] }, { type: FIRST_FORM })
  await done(root, 'create_policy', {
    policyName: 'tags by passkeys',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'USER' && activity.action == 'CREATE'",
    consensus:
      "credentials.filter(one, one.type == 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR' && one.credential_id != '').count() >= 2",
    notes: '',
  })
  const tag = (by: Person, userTagName: string) => done(by, 'create_user_tag', { userTagName, userIds: [] })
  await vote('approve', two, await tag(bob, 'by two passkeys'))
  await vote('reject', bob, await tag(one, 'rejected by a passkey'))
  await vote('reject', eve, await tag(eve, 'taken back by a passkey'))
  await vote('approve', person('grace'), await tag(one, 'by a passkey and a key'))
  await submit(eve, 'create_policy', { policyName: 'denied to a passkey', effect: 'EFFECT_ALLOW', notes: '' })
  const open = await tag(gone, 'left open by a passkey that is deleted')
  await done(two, 'delete_authenticators', { userId: ada.userId, authenticatorIds: authenticatorIds.slice(2, 3) })
  for (const voter of [bob, eve]) right(await vote('approve', voter, open))
  await answer(eve, 'whoami', {})
  const origins = { name: 'FEATURE_NAME_WEBAUTHN_ORIGINS', value: 'https://example.org,https://app.example.org' }
  await done(root, 'set_organization_feature', origins)
  await tag(one, 'from an origin that is allowed')
  await done(root, 'set_organization_feature', { ...origins, value: 'https://other.example' })
  await submit(one, 'create_user_tag', { userTagName: 'from another origin', userIds: [] }) // nothing of it is stored
  await done(root, 'remove_organization_feature', { name: origins.name })
  await done(root, 'delete_users', { userIds: [eve.userId] })
}

const FIRST_FORM = 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS'

/** The older form of a passkey, as a browser gives it. */
export const firstForm = (passkey: SoftwarePasskey, userId: string): { [member: string]: Json } => {
  const { authenticatorName, challenge, attestation } = paramsOf(passkey)
  const { credentialId: id, clientDataJson, attestationObject, transports } = attestation
  const response = { clientDataJson, attestationObject, transports }
  const given = { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} }
  return { authenticatorName, userId, challenge, attestation: given }
}

/** A user who has a passkey, and nothing else. */
const withPasskey = async (
  { root, done, people }: Office,
  userName: string,
  algorithm: 'ES256' | 'RS256',
): Promise<Person> => {
  const passkey = anyPasskey(algorithm)
  const authenticators = [paramsOf(passkey, 'the only one', { statement: 'self' })]
  const user = { userName, apiKeys: [], authenticators, oauthProviders: [], userTags: [] }
  const userId = idIn(await done(root, 'create_users', { users: [user] }), 'userIds')
  const made: Person = { ...root, userId, passkey }
  people.set(userName, made)
  return made
}

/** An organization that a passkey begins. Its root user has a key, too, by which the organization can still be asked. */
export const begunByPasskey = async (
  engine: Engine,
  clock: TestClock,
): Promise<{ readonly organizationId: string; readonly key: SigningKey }> => {
  const [passkey, key, organizationId] = [anyPasskey('RS256'), generateKey('API_KEY_CURVE_P256'), nodeIds().uuid()]
  const body = {
    type: 'ACTIVITY_TYPE_CREATE_ORGANIZATION',
    timestampMs: String(clock.now()),
    organizationId,
    parameters: {
      organizationName: 'Begun by a passkey',
      rootUsers: [
        { userName: 'root', apiKeys: [keyParams('root', key)], authenticators: [paramsOf(passkey)] },
        { userName: 'second', apiKeys: [], authenticators: [paramsOf(anyPasskey('ES256'), 'second')] },
      ],
      rootQuorumThreshold: 1,
    },
  }
  right(await engine.createOrganization(byPasskey(passkey, encodeUtf8(JSON.stringify(body))))())
  const root: Person = { key, userId: '', apiKeyId: '', passkey }
  const office = officeOf(engine, clock, organizationId, new Map([['root', root]]))
  await office.done(root, 'create_user_tag', { userTagName: 'by the passkey that began it', userIds: [] })
  return { organizationId, key }
}
