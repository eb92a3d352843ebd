import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { refuse } from '../../definition/refuse.ts'
import { TargetPublicKey, targetKeyOf } from '../bundle/bundle.ts'
import { Bundle, forRequester, shownBundle } from '../bundle/bundle-for.ts'
import { exportsTo } from '../bundle/exports.ts'
import { privateKeyFact } from './private-key-facts.ts'
import { privateKeys } from './private-keys.ts'

export const exportPrivateKey = operation({
  type: 'ACTIVITY_TYPE_EXPORT_PRIVATE_KEY',
  path: 'export_private_key',
  summary: 'Gives a private key, encrypted to the key of a client.',
  resource: 'PRIVATE_KEY',
  intent: t.fields({ privateKeyId: t.Uuid, targetPublicKey: TargetPublicKey }),
  result: t.fields({ ...forRequester, privateKeyId: t.string, exportBundle: Bundle }),
  change: t.fields({ privateKeyId: t.string }),
  facts: ({ privateKeyId }, organization) => {
    const found = privateKeys.of(organization).get(privateKeyId)
    return found === undefined ? {} : { private_key: privateKeyFact(found) }
  },
  ...exportsTo(({ targetPublicKey }: { readonly targetPublicKey: string }) => [targetPublicKey]),

  check: ({ privateKeyId, targetPublicKey }, { organization: { organizationId }, find }) => {
    const { curve, isDisabled } = find('private key', privateKeys, privateKeyId)
    if (isDisabled) throw refuse.field('privateKeyId', 'a private key that is not disabled')
    const going = { _tag: 'private-key' as const, key: { curve } }
    return { organizationId, exports: [{ keyId: privateKeyId, going, to: targetKeyOf(targetPublicKey) }] }
  },

  execute: ({ privateKeyId }, { performed: { requesterId, bundles } }) => ({
    result: { requesterId, privateKeyId, exportBundle: bundles[0] ?? '' },
    change: { privateKeyId },
  }),

  evolve: (draft, { privateKeyId }, { atMs }) => {
    const found = privateKeys.in(draft).get(privateKeyId)
    if (found !== undefined) Object.assign(found, { exported: true, updatedAtMs: atMs })
  },

  encodeResult: ({ privateKeyId, exportBundle }) => ({ privateKeyId, exportBundle: shownBundle(exportBundle) }),
})
