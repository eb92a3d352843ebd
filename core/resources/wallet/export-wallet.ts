import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { mnemonicLanguages } from '../../keys/mnemonic-parameters.ts'
import { Bundle, forRequester, shownBundle } from '../bundle/bundle-for.ts'
import { exportsTo } from '../bundle/exports.ts'
import { TargetPublicKey, targetKeyOf } from '../bundle/bundle.ts'
import { oneOf } from './key-codecs.ts'
import { walletFacts } from './wallet-facts.ts'
import { wallets } from './wallets.ts'

const Language = t.described(
  oneOf(mnemonicLanguages),
  'the list of the words; default: the one in which they came. Words of another list stand for the same entropy, and are another seed',
)

export const exportWallet = operation({
  type: 'ACTIVITY_TYPE_EXPORT_WALLET',
  path: 'export_wallet',
  summary: 'Gives the mnemonic of a wallet, encrypted to the key of a client.',
  resource: 'WALLET',
  intent: t.fields({ walletId: t.Uuid, targetPublicKey: TargetPublicKey }, { language: Language }),
  result: t.fields({ ...forRequester, walletId: t.string, exportBundle: Bundle }),
  change: t.fields({ walletId: t.string }),
  facts: ({ walletId }, organization) => walletFacts(organization, [walletId]),
  ...exportsTo(({ targetPublicKey }: { readonly targetPublicKey: string }) => [targetPublicKey]),

  check: ({ walletId, targetPublicKey, language }, { organization: { organizationId }, find }) => {
    find('wallet', wallets, walletId)
    const to = targetKeyOf(targetPublicKey)
    return { organizationId, exports: [{ keyId: walletId, going: { _tag: 'mnemonic' as const, language }, to }] }
  },

  execute: ({ walletId }, { performed: { requesterId, bundles } }) => ({
    result: { requesterId, walletId, exportBundle: bundles[0] ?? '' },
    change: { walletId },
  }),

  evolve: (draft, { walletId }, { atMs }) => {
    const found = wallets.in(draft).get(walletId)
    if (found !== undefined) Object.assign(found, { exported: true, updatedAtMs: atMs })
  },

  encodeResult: ({ walletId, exportBundle }) => ({ walletId, exportBundle: shownBundle(exportBundle) }),
})
