import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { pageOf, pagination } from '../pagination.ts'
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
  run: async ({ walletId, includeWalletDetails, paginationOptions = {} }, { organization, find }) => {
    if (walletId !== undefined) find('wallet', wallets, walletId)
    const all = [...walletAccounts.of(organization).values()].filter(
      ({ account }) => walletId === undefined || account.walletId === walletId,
    )
    const { limit, ascending, after } = await pageOf(paginationOptions, 'a wallet account', async (id) => {
      const index = all.findIndex(({ account }) => account.walletAccountId === id)
      return index < 0 ? undefined : BigInt(index)
    })
    const from = after === undefined ? all.length : Number(after)
    const page = ascending ? all.slice(from + 1, from + 1 + limit) : all.slice(Math.max(0, from - limit), from)
    return { accounts: page.toReversed().map((one) => walletAccountView(organization, one, includeWalletDetails)) }
  },
})
