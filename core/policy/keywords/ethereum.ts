import { mapOf, struct } from './struct.ts'

// A number of the chain can be larger than JSON's exact numbers: then the facts hold it as a bigint.
const transaction = struct('EthereumTransaction', {
  from: 'string',
  to: 'string',
  data: 'string',
  value: 'int',
  gas: 'int',
  'gas_price?': 'int',
  chain_id: 'int',
  nonce: 'int',
  'max_fee_per_gas?': 'int',
  'max_priority_fee_per_gas?': 'int',
  'max_fee_per_blob_gas?': 'int',
  type: 'string',
  // These need the interface of the contract.
  'function_name?': 'string',
  'function_signature?': 'string',
  'contract_call_args?': mapOf('dynamic'),
})

const domain = struct('Eip712Domain', {
  'name?': 'string',
  'version?': 'string',
  'chain_id?': 'int',
  'verifying_contract?': 'string',
})

const typedData = struct('Eip712TypedData', { primary_type: 'string', domain, message: mapOf('dynamic') })

const authorization = struct('Eip7702Authorization', { address: 'string', chain_id: 'int', nonce: 'int' })

/** What is signed for Ethereum: of the three, an activity has at most one. */
export const ethereum = struct('Ethereum', {
  'tx?': transaction,
  'eip_712?': typedData,
  'eip_7702_authorization?': authorization,
})
