import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { refuse, valueOf } from '../../definition/refuse.ts'
import { EncryptedBundle, encryptedOf, TargetPublicKey, targetKeyOf } from '../bundle/bundle.ts'
import { endTargets, goodTarget } from '../bundle/import-targets.ts'
import { checkQuota } from '../check-quota.ts'
import { insideWork, needsKeyring } from '../inside-work.ts'
import { notTooMany } from '../wallet/key-codecs.ts'
import { EncryptionSuite, KeyValue, NewSecret, secretFact, secretLimits, secrets } from './secrets.ts'

const SecretParams = t.fields(
  { secretPayload: EncryptedBundle, targetPublicKey: TargetPublicKey, encryptionSuite: EncryptionSuite },
  { name: t.LabelOrEmpty, staticProperties: t.list(KeyValue) },
  ({ staticProperties = [] }) =>
    new Set(staticProperties.map(({ key }) => key)).size === staticProperties.length
      ? undefined
      : { member: 'staticProperties', expected: 'each key once' },
)

export const importSecrets = operation({
  type: 'ACTIVITY_TYPE_IMPORT_SECRETS',
  path: 'import_secrets',
  summary: 'Keeps secrets that a client has encrypted: all of them, or none.',
  resource: 'SECRET',
  action: 'IMPORT',
  intent: t.fields({ secrets: t.some(SecretParams) }, {}, ({ secrets: added }) => notTooMany('secrets', added)),
  result: t.fields({ secretIds: t.array(t.string) }),
  change: t.fields({ secrets: t.array(NewSecret), userId: t.string, targetIds: t.array(t.string) }),
  facts: ({ secrets: added }) => secretFact(added),

  check: ({ secrets: added }, context) => {
    const { organization, ids } = context
    checkQuota(secrets.of(organization).size + added.length, secretLimits.of(context).secrets, 'secrets')
    const targets = new Set<string>()
    const toImport = added.map(({ secretPayload, targetPublicKey }, index) => {
      const { targetId } = goodTarget(context, context.requester, 'secret', targetKeyOf(targetPublicKey))
      if (targets.has(targetId)) throw refuse.field(`secrets.${index}.targetPublicKey`, 'each target once')
      targets.add(targetId)
      return { keyId: ids(), targetId, encrypted: encryptedOf(secretPayload) }
    })
    return { organizationId: organization.organizationId, toImport }
  },
  perform: {
    ...insideWork,
    ...needsKeyring,
    performed: t.fields({}),
    run: async ({ organizationId, toImport }, { ports: { keyring }, activityId, atMs }) => {
      for (const { keyId, targetId, encrypted } of toImport) {
        const from = { encrypted, arrival: { activityId, atMs, targetId } }
        valueOf(await keyring.importSecret({ organizationId, keyId }, { _tag: 'secret' }, from, () => undefined)())
      }
      return {}
    },
  },

  execute: ({ secrets: added }, context) => {
    const { requester, ids } = context
    const made = added.map(({ name, staticProperties = [] }) => ({
      secretId: ids(),
      staticProperties,
      name: name || undefined,
    }))
    const targetIds = added.map(
      ({ targetPublicKey }) => goodTarget(context, requester, 'secret', targetKeyOf(targetPublicKey)).targetId,
    )
    return {
      result: { secretIds: made.map(({ secretId }) => secretId) },
      change: { secrets: made, userId: requester, targetIds },
    }
  },

  evolve: (draft, { secrets: added, userId, targetIds }, { atMs }) => {
    for (const secret of added) secrets.in(draft).set(secret.secretId, { ...secret, createdAtMs: atMs })
    endTargets(draft, userId, 'secret', targetIds)
  },
})
