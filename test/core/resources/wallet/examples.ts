import { createWallet } from '../../../../core/resources/wallet/create-wallet.ts'
import { createWalletAccounts } from '../../../../core/resources/wallet/create-wallet-accounts.ts'
import { deleteWalletAccounts } from '../../../../core/resources/wallet/delete-wallet-accounts.ts'
import { deleteWallets } from '../../../../core/resources/wallet/delete-wallets.ts'
import { exportWallet } from '../../../../core/resources/wallet/export-wallet.ts'
import { exportWalletAccount } from '../../../../core/resources/wallet/export-wallet-account.ts'
import { getWallet } from '../../../../core/resources/wallet/get-wallet.ts'
import { getWalletAccount } from '../../../../core/resources/wallet/get-wallet-account.ts'
import { importWallet } from '../../../../core/resources/wallet/import-wallet.ts'
import { initImportWallet } from '../../../../core/resources/wallet/init-import-wallet.ts'
import { listWalletAccounts } from '../../../../core/resources/wallet/list-wallet-accounts.ts'
import { listWallets } from '../../../../core/resources/wallet/list-wallets.ts'
import { updateWallet } from '../../../../core/resources/wallet/update-wallet.ts'
import { updateWalletAccountName } from '../../../../core/resources/wallet/update-wallet-account-name.ts'
import { anyMnemonic, borderClient, encryptedTo } from '../bundle/border.ts'
import { asking, AUDITED, example, NOBODY, ORGANIZATION, PERSONAL, type Scene } from '../example.ts'

export const account = ({ text }: Scene) => ({
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: "m/44'/60'/0'/0/0",
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
  name: text('name'),
})
const another = { curve: 'CURVE_ED25519', path: "m/44'/501'/0'/0'", addressFormat: 'ADDRESS_FORMAT_SOLANA' }

/** The account that the newest example of a wallet has. */
const accountOf = async ({ made, asked }: Scene) => {
  const { walletId } = await made(createWallet)
  const { accounts } = await asked(listWalletAccounts, { walletId })
  return { walletId, walletAccountId: accounts[0]?.walletAccountId, address: accounts[0]?.address }
}

export const examples = [
  example(createWallet, {
    valid: (scene) => ({ walletName: scene.text('walletName'), accounts: [account(scene)], mnemonicLength: 24 }),
    refused: [{ walletName: 'seed', accounts: [], mnemonicLength: 13 }, 'REQUEST_INVALID'],
  }),
  example(createWalletAccounts, {
    valid: async (scene) => ({
      walletId: (await scene.made(createWallet)).walletId,
      accounts: [{ ...account(scene), ...another }],
      persist: true,
    }),
    refused: [(scene) => ({ walletId: NOBODY, accounts: [account(scene)], persist: true }), 'RESOURCE_NOT_FOUND'],
  }),
  example(updateWallet, {
    valid: async ({ made, text }) => ({
      walletId: (await made(createWallet)).walletId,
      walletName: text('walletName'),
    }),
    refused: [{ walletId: NOBODY, walletName: 'savings' }, 'RESOURCE_NOT_FOUND'],
  }),
  example(updateWalletAccountName, {
    valid: async (scene) => ({
      walletAccountId: (await accountOf(scene)).walletAccountId,
      name: scene.text('name'),
    }),
    refused: [{ walletAccountId: NOBODY, name: 'savings' }, 'RESOURCE_NOT_FOUND'],
  }),
  example(initImportWallet, {
    valid: ({ root }) => ({ userId: root }),
    refused: [{ userId: NOBODY }, 'RESOURCE_NOT_FOUND'],
  }),
  example(importWallet, {
    valid: async (scene) => {
      const { importBundle } = await scene.made(initImportWallet)
      return {
        userId: scene.root,
        walletName: scene.text('walletName'),
        encryptedBundle: await scene.border.encryptedTo(importBundle, anyMnemonic()),
        accounts: [account(scene)],
      }
    },
    refused: [
      async (scene) => {
        const { importBundle } = await scene.made(initImportWallet)
        const encryptedBundle = await encryptedTo(importBundle, 'abandon abandon')
        return { userId: scene.root, walletName: 'seed', encryptedBundle, accounts: [] }
      },
      'REQUEST_INVALID',
    ],
  }),
  example(exportWallet, {
    valid: async ({ made, border }) => ({
      walletId: (await made(createWallet)).walletId,
      targetPublicKey: border.targetPublicKey(),
      language: 'MNEMONIC_LANGUAGE_ENGLISH',
    }),
    refused: [() => ({ walletId: NOBODY, targetPublicKey: borderClient().publicKey }), 'RESOURCE_NOT_FOUND'],
  }),
  example(exportWalletAccount, {
    valid: async (scene) => ({
      address: (await accountOf(scene)).address,
      targetPublicKey: scene.border.targetPublicKey(),
    }),
    refused: [() => ({ address: 'nobody', targetPublicKey: borderClient().publicKey }), 'RESOURCE_NOT_FOUND'],
  }),
  example(deleteWallets, {
    valid: async ({ made }) => ({ walletIds: [(await made(createWallet)).walletId], deleteWithoutExport: true }),
    refused: [
      async ({ made }) => ({ walletIds: [(await made(createWallet)).walletId], deleteWithoutExport: false }),
      'WALLET_ACCOUNT_NOT_EXPORTED',
    ],
  }),
  example(deleteWalletAccounts, {
    valid: async (scene) => ({
      walletAccountIds: [(await accountOf(scene)).walletAccountId],
      deleteWithoutExport: true,
    }),
    refused: [{ walletAccountIds: [NOBODY], deleteWithoutExport: true }, 'RESOURCE_NOT_FOUND'],
  }),
  asking(getWallet, async ({ made }) => {
    const { walletId } = await made(createWallet)
    return { request: { walletId }, shows: { wallet: { walletId } } }
  }),
  asking(listWallets, async ({ made }) => ({
    request: {},
    shows: { wallets: [{ walletId: (await made(createWallet)).walletId }] },
  })),
  asking(getWalletAccount, async (scene) => {
    const { walletId, walletAccountId, address } = await accountOf(scene)
    const path = "m/44'/60'/0'/0/0"
    return { request: { walletId, address, path }, shows: { account: { walletAccountId, path } } }
  }),
  asking(
    listWalletAccounts,
    async (scene) => {
      const { walletId, walletAccountId } = await accountOf(scene)
      return {
        request: { walletId, includeWalletDetails: true, paginationOptions: { limit: '1' } },
        shows: { accounts: [{ walletAccountId, walletDetails: { walletId } }] },
      }
    },
    { refused: [{ walletId: NOBODY }, 'RESOURCE_NOT_FOUND'] },
  ),
]

export const texts = {
  walletName: ORGANIZATION,
  name: ORGANIZATION,
  publicKey: AUDITED,
  path: AUDITED,
  pathFormat: AUDITED,
  addressFormat: AUDITED,
  address: AUDITED,
  addresses: AUDITED,
  importBundle: PERSONAL,
  exportBundle: PERSONAL,
}
