import * as t from '../../codec/t.ts'
import { state, type DeepReadonly, type Draft } from '../../organization/state.ts'
import { times } from '../records.ts'
import { addSigner, removeSigner } from '../signing/signers.ts'
import { AddressFormatName, Curve, PathFormat } from './key-codecs.ts'

const Wallet = t.fields({
  walletId: t.string,
  walletName: t.string,
  /** That of secp256k1 at `m`: the same seed again has the same one. */
  publicKey: t.string,
  exported: t.boolean,
  imported: t.boolean,
  ...times,
})
export type Wallet = DeepReadonly<t.TypeOf<typeof Wallet>>

/** Wallets by id, in order of creation. Their seeds are with the keyring, under the same ids. */
export const wallets = state({ name: 'wallets', version: 1, codec: t.mapOf(Wallet), initial: () => new Map() })

/** The members of an account that never change. */
export const NewAccount = t.fields(
  {
    walletAccountId: t.string,
    walletId: t.string,
    curve: Curve,
    pathFormat: PathFormat,
    path: t.string,
    addressFormat: AddressFormatName,
    address: t.string,
    /** Compressed, in hex; of ed25519, 32 bytes. */
    publicKey: t.string,
  },
  { name: t.string },
)
export type NewAccount = t.TypeOf<typeof NewAccount>

const WalletAccount = t.fields({
  account: NewAccount,
  /** Whether the account itself was exported: its wallet has a mark of its own. */
  exported: t.boolean,
  ...times,
})
export type WalletAccount = DeepReadonly<t.TypeOf<typeof WalletAccount>>

/** The accounts of all wallets by id, in order of creation. */
export const walletAccounts = state({
  name: 'wallet-accounts',
  version: 1,
  codec: t.mapOf(WalletAccount),
  initial: () => new Map(),
})

export const addAccounts = (draft: Draft, added: readonly NewAccount[], atMs: number): void => {
  for (const account of added) {
    walletAccounts.in(draft).set(account.walletAccountId, {
      account,
      exported: false,
      createdAtMs: atMs,
      updatedAtMs: atMs,
    })
    addSigner(draft, account.walletAccountId, [account.address])
  }
}

export const removeAccounts = (draft: Draft, ids: readonly string[]): void => {
  for (const id of ids) {
    const found = walletAccounts.of(draft).get(id)
    if (found !== undefined) removeSigner(draft, id, [found.account.address])
    walletAccounts.in(draft).delete(id)
  }
}
