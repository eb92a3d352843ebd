import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { pageIn, pagination } from '../pagination.ts'
import { walletAccountView, WalletAccountView } from './wallet-view.ts'
import { walletAccounts, wallets } from './wallets.ts'

export const listWalletAccounts = query({
  path: 'list_wallet_accounts',
  summary: 'Lists accounts of a wallet, or of all, newest first, a page at a time.',
  request: t.fields(
    { organizationId: t.Uuid },
    { walletId: t.Uuid, includeWalletDetails: t.boolean, paginationOptions: pagination('a wallet account') },
  ),
  answer: t.fields({ accounts: t.readonlyArray(WalletAccountView) }),
  run: async ({ walletId, includeWalletDetails, paginationOptions }, { organization, find }) => {
    if (walletId !== undefined) find('wallet', wallets, walletId)
    const all = [...walletAccounts.of(organization).values()].filter(
      ({ account }) => walletId === undefined || account.walletId === walletId,
    )
    const page = await pageIn(all, paginationOptions, 'a wallet account', ({ account }) => account.walletAccountId)
    return { accounts: page.map((one) => walletAccountView(organization, one, includeWalletDetails)) }
  },
})
