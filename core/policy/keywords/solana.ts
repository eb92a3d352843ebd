import { listOf, mapOf, struct } from './struct.ts'

const account = struct('SolanaAccount', { account_key: 'string', signer: 'bool', writable: 'bool' })

const lookup = struct('AddressTableLookup', {
  address_table_key: 'string',
  writable_indexes: listOf('int'),
  readonly_indexes: listOf('int'),
})

/** Both names of the accounts are in use: one stands for the other. */
const parsedData = struct('SolanaParsedInstructionData', {
  instruction_name: 'string',
  discriminator: 'string',
  named_accounts: mapOf('string'),
  named_account: mapOf('string'),
  program_call_args: mapOf('dynamic'),
})

const instruction = struct('SolanaInstruction', {
  program_key: 'string',
  accounts: listOf(account),
  instruction_data_hex: 'string',
  address_table_lookups: listOf(lookup),
  // It needs the interface of the program.
  'parsed_instruction_data?': parsedData,
})

const transfer = struct('SolanaTransfer', { from: 'string', to: 'string', amount: 'int' })

const tokenTransfer = struct('SPLTransfer', {
  from: 'string',
  to: 'string',
  amount: 'int',
  owner: 'string',
  signers: listOf('string'),
  'token_mint?': 'string',
})

const transaction = struct('SolanaTransaction', {
  account_keys: listOf('string'),
  program_keys: listOf('string'),
  instructions: listOf(instruction),
  transfers: listOf(transfer),
  recent_blockhash: 'string',
  spl_transfers: listOf(tokenTransfer),
  address_table_lookups: listOf(lookup),
})

export const solana = struct('Solana', { 'tx?': transaction })
