import { listOf, struct } from './struct.ts'

const key = struct('TronKey', { address: 'string', weight: 'int' })

const permission = struct('TronPermission', {
  type: 'string',
  id: 'int',
  permission_name: 'string',
  threshold: 'int',
  parent_id: 'int',
  operations: 'string',
  keys: listOf(key),
})

/** Contracts of all types: a contract has the members of its type. */
const contract = struct('TronContract', {
  type: 'string',
  'permission_id?': 'int',
  owner_address: 'string',
  'to_address?': 'string',
  'amount?': 'int',
  'contract_address?': 'string',
  'call_value?': 'int',
  'data?': 'string',
  'call_token_value?': 'int',
  'token_id?': 'int',
  'resource?': 'string',
  'balance?': 'int',
  'receiver_address?': 'string',
  'lock?': 'bool',
  'lock_period?': 'int',
  'frozen_balance?': 'int',
  'unfreeze_balance?': 'int',
  'owner?': permission,
  'witness?': permission,
  'actives?': listOf(permission),
})

const transaction = struct('TronTransaction', {
  ref_block_bytes: 'string',
  ref_block_hash: 'string',
  expiration: 'int',
  timestamp: 'int',
  data: 'string',
  fee_limit: 'int',
  contract: listOf(contract),
})

export const tron = struct('Tron', { 'tx?': transaction })
