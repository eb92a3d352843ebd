import { listOf, mapOf, struct } from './struct.ts'

export const wallet = struct('Wallet', { id: 'string', imported: 'bool', exported: 'bool', label: 'string' })

export const walletAccount = struct('WalletAccount', {
  address: 'string',
  'path_indexes?': listOf('int'),
  'path_hardened?': listOf('bool'),
})

export const privateKey = struct('PrivateKey', {
  id: 'string',
  tags: listOf('string'),
  imported: 'bool',
  exported: 'bool',
  label: 'string',
})

export const secret = struct('Secret', { static_properties: mapOf('string') })
