import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { walletView, WalletView } from './wallet-view.ts'
import { wallets } from './wallets.ts'

export const getWallet = query({
  path: 'get_wallet',
  summary: 'Shows a wallet.',
  request: t.fields({ organizationId: t.Uuid, walletId: t.Uuid }),
  answer: t.fields({ wallet: WalletView }),
  run: ({ walletId }, { find }) => ({ wallet: walletView(find('wallet', wallets, walletId)) }),
})
