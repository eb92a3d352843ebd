import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { InOrganization } from '../in-organization.ts'
import { wholeList } from '../whole-list.ts'
import { walletView, WalletView } from './wallet-view.ts'
import { wallets } from './wallets.ts'

export const listWallets = query({
  path: 'list_wallets',
  summary: 'Lists all wallets.',
  request: InOrganization,
  answer: t.fields({ wallets: t.readonlyArray(WalletView) }),
  run: (_, { organization }) => wholeList('wallets', wallets.of(organization), walletView),
})
