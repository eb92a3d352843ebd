import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { refuse } from '../../definition/refuse.ts'
import type { Organization } from '../../organization/state.ts'
import { TargetPublicKey, targetKeyOf } from '../bundle/bundle.ts'
import { Bundle, forRequester, shownBundle } from '../bundle/bundle-for.ts'
import { exportsTo } from '../bundle/exports.ts'
import { signerFacts } from '../signing/signer.ts'
import { signersNamed } from '../signing/signers.ts'
import { walletAccounts, type WalletAccount } from './wallets.ts'

export const exportWalletAccount = operation({
  type: 'ACTIVITY_TYPE_EXPORT_WALLET_ACCOUNT',
  path: 'export_wallet_account',
  summary: 'Gives the private key of an account, encrypted to the key of a client.',
  resource: 'WALLET',
  intent: t.fields({ address: t.Text, targetPublicKey: TargetPublicKey }),
  result: t.fields({ ...forRequester, address: t.string, exportBundle: Bundle }),
  change: t.fields({ walletAccountId: t.string }),
  facts: ({ address }, organization) => signerFacts(organization, address),
  ...exportsTo(({ targetPublicKey }: { readonly targetPublicKey: string }) => [targetPublicKey]),

  check: ({ address, targetPublicKey }, { organization }) => {
    const { walletId, curve, path } = accountAt(address, organization).account
    const going = { _tag: 'private-key' as const, key: { curve, path } }
    const to = targetKeyOf(targetPublicKey)
    return { organizationId: organization.organizationId, exports: [{ keyId: walletId, going, to }] }
  },

  execute: ({ address }, { organization, performed: { requesterId, bundles } }) => {
    const { walletAccountId } = accountAt(address, organization).account
    return { result: { requesterId, address, exportBundle: bundles[0] ?? '' }, change: { walletAccountId } }
  },

  evolve: (draft, { walletAccountId }, { atMs }) => {
    const found = walletAccounts.in(draft).get(walletAccountId)
    if (found !== undefined) Object.assign(found, { exported: true, updatedAtMs: atMs })
  },

  encodeResult: ({ address, exportBundle }) => ({ address, exportBundle: shownBundle(exportBundle) }),
})

/** The oldest account with this address. */
const accountAt = (address: string, organization: Organization): WalletAccount => {
  for (const id of signersNamed(organization, address)) {
    const found = walletAccounts.of(organization).get(id)
    if (found !== undefined) return found
  }
  throw refuse('RESOURCE_NOT_FOUND', `Could not find wallet account with address: ${address}`)
}
