import type { Organization } from '../../organization/state.ts'
import type { ResourceFacts } from '../../policy/fact.ts'
import { wallets, type Wallet } from './wallets.ts'

/** A wallet as policies see it. */
export const walletFact = ({ walletId, walletName, imported, exported }: Wallet) => ({
  id: walletId,
  label: walletName,
  imported,
  exported,
})

/** The keywords of a request that names wallets: `wallets`, and `wallet` where it is one. Those that are not there are left out. */
export const walletFacts = (organization: Organization, ids: readonly string[]): ResourceFacts => {
  const facts = ids.flatMap((id) => {
    const found = wallets.of(organization).get(id)
    return found === undefined ? [] : [walletFact(found)]
  })
  const [only] = facts
  return only !== undefined && ids.length === 1 ? { wallet: only, wallets: facts } : { wallets: facts }
}
