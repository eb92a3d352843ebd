import { listOf, struct } from './struct.ts'

const call = struct('TempoCall', { to: 'string', input: 'string', function_signature: 'string' })

const transaction = struct('TempoTransaction', {
  chain_id: 'int',
  from: 'string',
  nonce: 'int',
  gas_limit: 'int',
  max_fee_per_gas: 'int',
  max_priority_fee_per_gas: 'int',
  fee_token: 'string',
  valid_before: 'int',
  valid_after: 'int',
  calls: listOf(call),
})

export const tempo = struct('Tempo', { 'tx?': transaction })
