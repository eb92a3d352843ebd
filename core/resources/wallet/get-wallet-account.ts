import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { refuse } from '../../definition/refuse.ts'
import type { Organization } from '../../organization/state.ts'
import { signersNamed } from '../signing/signers.ts'
import { walletAccountView, WalletAccountView } from './wallet-view.ts'
import { walletAccounts, wallets, type WalletAccount } from './wallets.ts'

export const getWalletAccount = query({
  path: 'get_wallet_account',
  summary: 'Shows the account of a wallet with an address, or at a path.',
  request: t.fields(
    { organizationId: t.Uuid, walletId: t.Uuid },
    { address: t.TextOrEmpty, path: t.TextOrEmpty },
    ({ address, path }) => (address || path ? undefined : { member: 'address', expected: 'an address or a path' }),
  ),
  answer: t.fields({ account: WalletAccountView }),
  run: ({ walletId, address, path }, { organization, find }) => {
    find('wallet', wallets, walletId)
    const found = candidates(organization, address).find(
      ({ account }) => account.walletId === walletId && (!path || account.path === path),
    )
    if (found === undefined)
      throw refuse('RESOURCE_NOT_FOUND', `Could not find wallet account with this ${address ? 'address' : 'path'}`)
    return { account: walletAccountView(organization, found, true) }
  },
})

const candidates = (organization: Organization, address: string | undefined): readonly WalletAccount[] => {
  const all = walletAccounts.of(organization)
  return address ? signersNamed(organization, address).flatMap((id) => all.get(id) ?? []) : [...all.values()]
}
