import * as t from '../../codec/t.ts'
import type { Organization } from '../../organization/state.ts'
import { shownTimes, timesOf } from '../records.ts'
import { AddressFormatName, Curve, PathFormat } from './key-codecs.ts'
import { wallets, type Wallet, type WalletAccount } from './wallets.ts'

/** A wallet as the wire shows it. */
export const WalletView = t.named(
  'Wallet',
  t.fields({
    walletId: t.Uuid,
    walletName: t.string,
    exported: t.boolean,
    imported: t.boolean,
    ...shownTimes,
  }),
)
type WalletView = t.TypeOf<typeof WalletView>

export const walletView = ({ walletId, walletName, exported, imported, ...at }: Wallet): WalletView => ({
  walletId,
  walletName,
  exported,
  imported,
  ...timesOf(at),
})

/** An account as the wire shows it. */
export const WalletAccountView = t.named(
  'WalletAccount',
  t.fields(
    {
      walletAccountId: t.Uuid,
      organizationId: t.Uuid,
      walletId: t.Uuid,
      curve: Curve,
      pathFormat: PathFormat,
      path: t.string,
      addressFormat: AddressFormatName,
      address: t.string,
      publicKey: t.string,
      ...shownTimes,
    },
    { name: t.string, walletDetails: WalletView },
  ),
)
type WalletAccountView = t.TypeOf<typeof WalletAccountView>

export const walletAccountView = (
  organization: Organization,
  { account, createdAtMs, updatedAtMs }: WalletAccount,
  withWallet = false,
): WalletAccountView => {
  const wallet = withWallet ? wallets.of(organization).get(account.walletId) : undefined
  return {
    ...account,
    organizationId: organization.organizationId,
    walletDetails: wallet && walletView(wallet),
    ...timesOf({ createdAtMs, updatedAtMs }),
  }
}
