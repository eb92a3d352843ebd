import { resource } from '../../definition/resource.ts'
import { createWallet } from './create-wallet.ts'
import { createWalletAccounts } from './create-wallet-accounts.ts'
import { exportWallet } from './export-wallet.ts'
import { exportWalletAccount } from './export-wallet-account.ts'
import { importWallet } from './import-wallet.ts'
import { initImportWallet } from './init-import-wallet.ts'
import { deleteWalletAccounts } from './delete-wallet-accounts.ts'
import { deleteWallets } from './delete-wallets.ts'
import { getWallet } from './get-wallet.ts'
import { getWalletAccount } from './get-wallet-account.ts'
import { listWalletAccounts } from './list-wallet-accounts.ts'
import { listWallets } from './list-wallets.ts'
import { updateWallet } from './update-wallet.ts'
import { updateWalletAccountName } from './update-wallet-account-name.ts'
import { walletLimits } from './wallet-limits.ts'
import { walletAccounts, wallets } from './wallets.ts'

export {
  createWallet,
  createWalletAccounts,
  deleteWalletAccounts,
  deleteWallets,
  exportWallet,
  exportWalletAccount,
  getWallet,
  getWalletAccount,
  importWallet,
  initImportWallet,
  listWalletAccounts,
  listWallets,
  updateWallet,
  updateWalletAccountName,
}

export const walletResource = resource({
  name: 'wallets',
  states: [wallets, walletAccounts],
  limits: walletLimits,
  operations: [
    createWallet,
    createWalletAccounts,
    updateWallet,
    updateWalletAccountName,
    initImportWallet,
    importWallet,
    exportWallet,
    exportWalletAccount,
    deleteWallets,
    deleteWalletAccounts,
  ],
  queries: [getWallet, listWallets, getWalletAccount, listWalletAccounts],
})
