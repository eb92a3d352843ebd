import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { checkWalletName } from './new-wallet.ts'
import { walletFacts } from './wallet-facts.ts'
import { wallets } from './wallets.ts'

export const updateWallet = operation({
  type: 'ACTIVITY_TYPE_UPDATE_WALLET',
  path: 'update_wallet',
  summary: "Changes a wallet's name.",
  resource: 'WALLET',
  action: 'UPDATE',
  intent: t.fields({ walletId: t.Uuid }, { walletName: t.LabelOrEmpty }),
  result: t.fields({ walletId: t.string }),
  change: t.fields({ walletId: t.string }, { walletName: t.string }),
  paramNames: ['wallet_id'],
  params: ({ walletId }) => ({ wallet_id: walletId }),
  facts: ({ walletId }, organization) => walletFacts(organization, [walletId]),

  execute: ({ walletId, walletName: given }, { organization, find }) => {
    find('wallet', wallets, walletId)
    const walletName = given || undefined
    checkWalletName('walletName', walletName, organization, walletId)
    return { result: { walletId }, change: { walletId, walletName } }
  },

  evolve: (draft, { walletId, walletName }, { atMs }) => {
    const found = wallets.in(draft).get(walletId)
    if (found === undefined) return
    if (walletName !== undefined) found.walletName = walletName
    found.updatedAtMs = atMs
  },
})
