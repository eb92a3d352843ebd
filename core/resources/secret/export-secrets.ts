import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { TargetPublicKey, targetKeyOf } from '../bundle/bundle.ts'
import { Bundles, forRequester, shownBundles } from '../bundle/bundle-for.ts'
import { exportsTo } from '../bundle/exports.ts'
import { notTooMany } from '../wallet/key-codecs.ts'
import { EncryptionSuite, factOf, KeyValue, secrets } from './secrets.ts'

const SecretParams = t.fields(
  { secretId: t.Uuid, targetPublicKey: TargetPublicKey, encryptionSuite: EncryptionSuite },
  { requestContext: t.list(KeyValue) },
)
const Intent = t.fields({ secrets: t.some(SecretParams) }, {}, ({ secrets: wanted }) => notTooMany('secrets', wanted))
type Intent = t.TypeOf<typeof Intent>

export const exportSecrets = operation({
  type: 'ACTIVITY_TYPE_EXPORT_SECRETS',
  path: 'export_secrets',
  summary: 'Gives secrets, encrypted to keys of a client: all of them, or none.',
  resource: 'SECRET',
  intent: Intent,
  result: t.fields({ ...forRequester, secretPayloads: Bundles }),
  change: t.fields({}),
  facts: ({ secrets: wanted }, organization) =>
    factOf(
      organization,
      wanted.map(({ secretId }) => secretId),
    ),
  ...exportsTo(({ secrets: wanted }: Intent) => wanted.map(({ targetPublicKey }) => targetPublicKey)),

  check: ({ secrets: wanted }, { organization: { organizationId }, findAll }) => {
    findAll(
      'secret',
      secrets,
      wanted.map(({ secretId }) => secretId),
    )
    const going = { _tag: 'secret' as const }
    const exports = wanted.map(({ secretId, targetPublicKey }) => ({
      keyId: secretId,
      going,
      to: targetKeyOf(targetPublicKey),
    }))
    return { organizationId, exports }
  },

  execute: (_, { performed: { requesterId, bundles } }) => ({
    result: { requesterId, secretPayloads: bundles },
    change: {},
  }),

  evolve: () => undefined,

  encodeResult: ({ secretPayloads }) => ({ secretPayloads: shownBundles(secretPayloads) }),
})
