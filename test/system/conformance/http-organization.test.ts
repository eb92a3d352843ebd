import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { FeatureName } from '../../../core/organization/features.ts'
import { onStage, refusal, violationOf, type Stage } from './stage.ts'

const it = suite('@turnkey/http: the organization and its features')

const WEBAUTHN = {
  name: 'FEATURE_NAME_WEBAUTHN_ORIGINS',
  value: 'https://app.example.com,http://localhost:3000',
} as const
const WEBHOOK = { name: 'FEATURE_NAME_WEBHOOK', value: 'https://hooks.example.com' } as const

const setFeature = ({ http, root, asks }: Stage, name: typeof WEBAUTHN.name | typeof WEBHOOK.name, value: string) =>
  http(root).setOrganizationFeature(asks('ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', { name, value }))
const removeFeature = ({ http, root, asks }: Stage, name: typeof WEBHOOK.name) =>
  http(root).removeOrganizationFeature(asks('ACTIVITY_TYPE_REMOVE_ORGANIZATION_FEATURE', { name }))

it('renames the organization', () =>
  onStage(async ({ http, root, asks, organizationId }) => {
    const client = http(root)
    const rename = (organizationName: string) =>
      client.updateOrganizationName(asks('ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME', { organizationName }))
    const { activity } = await rename('Engines')
    assert.equal(activity.result.updateOrganizationNameResult, { organizationId, organizationName: 'Engines' })
    assert.is((await client.getWhoami({ organizationId })).organizationName, 'Engines')
    assert.is((await client.getOrganization({ organizationId })).organizationData.name, 'Engines')
    assert.equal(
      (await refusal(rename('\n'))).details,
      violationOf('organizationName', 'expected a label of 1 to 256 printable characters'),
    )
  }))

it('sets features, shows them, and removes them', () =>
  onStage(async (stage) => {
    const { http, root, organizationId } = stage
    const shown = async () => (await http(root).getOrganizationConfigs({ organizationId })).configs.features
    await setFeature(stage, WEBAUTHN.name, WEBAUTHN.value)
    const set = (await setFeature(stage, WEBHOOK.name, WEBHOOK.value)).activity
    assert.equal(set.intent.setOrganizationFeatureIntent, WEBHOOK)
    assert.equal(set.result.setOrganizationFeatureResult, { features: [WEBAUTHN, WEBHOOK] })
    assert.equal(await shown(), [WEBAUTHN, WEBHOOK])
    const removed = (await removeFeature(stage, WEBHOOK.name)).activity
    assert.equal(removed.result.removeOrganizationFeatureResult, { features: [WEBAUTHN] })
    assert.equal(await shown(), [WEBAUTHN])
    assert.equal(await refusal(removeFeature(stage, WEBHOOK.name)), {
      code: 5,
      error: 'REQUEST_INVALID',
      message: `unable to find feature ${WEBHOOK.name} in organization ${organizationId}`,
      details: [],
    })
  }))

it('refuses origins of passkeys that are not exact, and a feature that nobody knows', () =>
  onStage(async (stage) => {
    const expected = 'expected exact origins such as https://app.example.com, each once, separated by commas only'
    const refused = await refusal(setFeature(stage, WEBAUTHN.name, '*'))
    assert.equal([refused.code, refused.details], [3, violationOf('value', expected)])
    const unknown = await refusal(setFeature(stage, 'FEATURE_NAME_FLYING' as typeof WEBHOOK.name, ''))
    assert.equal(unknown.details, violationOf('name', `expected ${FeatureName.name}`))
  }))

it('takes a feature without a value, as the examples of the vendor send it, and echoes the empty text', () =>
  onStage(async ({ post, root, bytes }) => {
    const body = bytes('ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', { name: 'FEATURE_NAME_EMAIL_AUTH' })
    const { activity } = (await post(root, 'submit/set_organization_feature', body)).body
    const feature = { name: 'FEATURE_NAME_EMAIL_AUTH' as const, value: '' }
    assert.equal(activity.intent.setOrganizationFeatureIntent, feature)
    assert.equal(activity.result.setOrganizationFeatureResult, { features: [feature] })
  }))

it('takes the allowed origins, on a route of its own, since no client has one', () =>
  onStage(async ({ post, root, bytes, enrol, done }) => {
    const type = 'ACTIVITY_TYPE_UPDATE_ALLOWED_ORIGINS'
    const update = (person: typeof root, allowedOrigins: string[]) =>
      post(person, 'submit/update_allowed_origins', bytes(type, { allowedOrigins }))
    const { status, body } = await update(root, ['https://app.example.com'])
    assert.is(status, 200)
    assert.equal(body.activity.intent.updateAllowedOriginsIntent, { allowedOrigins: ['https://app.example.com'] })
    assert.equal(body.activity.result.updateAllowedOriginsResult, {})
    const refused = await update(root, ['https://*.example.com'])
    assert.equal([refused.status, refused.body.turnkeyErrorCode], [400, 'REQUEST_INVALID'])
    const ada = await enrol('ada')
    assert.is((await update(ada, [])).status, 403)
    const condition = "activity.resource == 'CONFIG' && activity.action == 'UPDATE'"
    await done(root, 'create_policy', { policyName: 'config', effect: 'EFFECT_ALLOW', condition, notes: '' })
    assert.is((await update(ada, [])).status, 200)
  }))

it('lets nobody but the root quorum name the organization or set features, whatever policies say', () =>
  onStage(async (stage) => {
    const { http, root, asks, enrol, done } = stage
    const [ada, grace] = [await enrol('ada'), await enrol('grace')]
    await done(root, 'create_policy', { policyName: 'all', effect: 'EFFECT_ALLOW', condition: 'true', notes: '' })
    const { name } = WEBHOOK
    const all = (person: typeof root) => {
      const client = http(person)
      return [
        () => client.setOrganizationFeature(asks('ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', WEBHOOK)),
        () => client.removeOrganizationFeature(asks('ACTIVITY_TYPE_REMOVE_ORGANIZATION_FEATURE', { name })),
        () =>
          client.updateOrganizationName(asks('ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME', { organizationName: 'Ours' })),
      ]
    }
    for (const ask of all(ada)) assert.is((await refusal(ask())).code, 7)
    await done(root, 'update_root_quorum', { threshold: 2, userIds: [root.userId, grace.userId] })
    for (const ask of all(root)) {
      const { activity } = await ask()
      assert.is(activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
      const { fingerprint } = activity
      const { status } = await done(grace, 'approve_activity', { fingerprint })
      assert.is(status, 'ACTIVITY_STATUS_COMPLETED')
    }
  }))

it('shows the whole organization', () =>
  onStage(async (stage) => {
    const { http, root, asks, enrol, organizationId } = stage
    const client = http(root)
    const ada = await enrol('ada')
    await client.createUserTag(asks('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'ops', userIds: [ada.userId] }))
    await setFeature(stage, WEBHOOK.name, WEBHOOK.value)
    const { organizationData: data } = await client.getOrganization({ organizationId })
    assert.equal([data.organizationId, data.name], [organizationId, 'Default'])
    assert.equal(data.users, (await client.getUsers({ organizationId })).users)
    assert.equal(data.tags, (await client.listUserTags({ organizationId })).userTags)
    const { configs } = await client.getOrganizationConfigs({ organizationId })
    assert.equal([data.rootQuorum, data.features], [configs.quorum, configs.features])
    const { policies, privateKeys, invitations, wallets, smartContractInterfaceReferences: contracts } = data
    assert.equal([policies, privateKeys, invitations, wallets, contracts], [[], [], [], [], []])
  }))

it.run()
