import { listOf, struct } from './struct.ts'

const input = struct('BitcoinInput', { tx_id: 'string', vout: 'int', sequence: 'int' })

const output = struct('BitcoinOutput', {
  value: 'int',
  script_pubkey: 'string',
  'address?': 'string',
  'address_type?': 'string',
})

const locktime = struct('BitcoinLocktime', { amount: 'int', type: 'string' })

const transaction = struct('BitcoinTransaction', {
  version: 'string',
  inputs: listOf(input),
  outputs: listOf(output),
  locktime,
  fee: 'int',
})

export const bitcoin = struct('Bitcoin', { 'tx?': transaction })
