import type { Facts } from '../../../../core/policy/expression.ts'
import { Instant } from '../../../../core/policy/instant.ts'

/** One activity that has everything at once, which no real one has. */
export const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const LOOKUP = { address_table_key: 'Table', writable_indexes: [1], readonly_indexes: [2, 3] }

const values = {
  activity: {
    type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
    kind: 'SIGN_TRANSACTION',
    resource: 'PRIVATE_KEY',
    action: 'SIGN',
    params: {
      type: 'TRANSACTION_TYPE_ETHEREUM',
      hash_function: 'HASH_FUNCTION_NOT_APPLICABLE',
      user_ids: ['ada'],
      user_id: 'ada',
      otp_length: 6,
      sign_with: 'spark1',
      signatures: [
        {
          derivation: { type: 'signing_leaf', signing_leaf: { leaf_id: 'leaf' }, static_deposit: { index: 0 } },
          message: 'aa',
          verifying_key: '02',
          operator_commitments: [{ id: '1', hiding: 'h', binding: 'b' }],
          adaptor_public_key: '',
        },
      ],
      transfer: {
        transfer_id: 't',
        leaves: [{ leaf_id: 'leaf', new_leaf_derivation: { type: 'identity' }, refund_signature: '' }],
        threshold: 2,
        operator_recipients: [{ operator_id: '1', encryption_public_key: '02' }],
        receiver_public_key: '03',
      },
    },
  },
  approvers: [
    { id: 'ada', tags: ['officer', 'finance'], email: 'ada@example.org', alias: 'Ada' },
    { id: 'grace', tags: ['officer'], email: '', alias: 'Grace' },
  ],
  credentials: [
    { id: 'k1', user_id: 'ada', type: 'CREDENTIAL_TYPE_API_KEY_P256', credential_id: '', public_key: '02aa' },
    {
      id: 'k2',
      user_id: 'grace',
      type: 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR',
      credential_id: 'p',
      public_key: '03',
    },
  ],
  wallet: { id: 'wallet-1', imported: false, exported: true, label: 'Treasury' },
  wallets: [{ id: 'wallet-1', imported: false, exported: true, label: 'Treasury' }],
  wallet_account: { address: USDC, path_indexes: [44, 60, 0], path_hardened: [true, true, false] },
  private_key: { id: 'key-1', tags: ['hot'], imported: false, exported: false, label: 'Hot' },
  secret: { static_properties: { kind: 'creditCard', requiresConsensus: 'true' } },
  eth: {
    tx: {
      from: '0x7c6e2b1f0a9d4835c1e6b2f47d805a93c4e1d6f2',
      to: USDC,
      data: `0xa9059cbb${'0'.repeat(24)}08d2b0a37f869ff76bacb5bab3278e26ab7067b7${'0'.repeat(63)}a`,
      value: 10n ** 18n,
      gas: 21_000,
      max_fee_per_gas: 50,
      max_priority_fee_per_gas: 1,
      chain_id: 8453,
      nonce: 0,
      type: 'TYPE_2',
      function_name: 'transfer',
      function_signature: '0xa9059cbb',
      contract_call_args: {
        to: '0x08D2b0a37f869ff76bacb5bab3278e26ab7067b7',
        amount: 10,
        call: ['0xaa', 0],
        note: 'x',
      },
    },
    eip_712: {
      primary_type: 'Execution',
      domain: { name: 'Uniswap', version: '1', chain_id: 1, verifying_contract: '0xaa' },
      message: { to: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', value: '0', a: [{ b: 5 }] },
    },
    eip_7702_authorization: { address: '0xaa', chain_id: 1, nonce: 3 },
  },
  solana: {
    tx: {
      account_keys: ['Me', 'You', 'ADDRESS_TABLE_LOOKUP'],
      program_keys: ['11111111111111111111111111111111'],
      instructions: [
        {
          program_key: '11111111111111111111111111111111',
          accounts: [
            { account_key: 'Me', signer: true, writable: true },
            { account_key: 'You', signer: false, writable: true },
          ],
          instruction_data_hex: '02000000',
          address_table_lookups: [],
          parsed_instruction_data: {
            instruction_name: 'transfer',
            discriminator: 'a1',
            named_accounts: { from: 'Me' },
            named_account: { from: 'Me' },
            program_call_args: { lamports: 5, options: { memo: 'hi', level: 1 } },
          },
        },
      ],
      transfers: [{ from: 'Me', to: 'You', amount: 5 }],
      recent_blockhash: 'Hash',
      spl_transfers: [{ from: 'Me', to: 'You', amount: 7, owner: 'Me', signers: [], token_mint: 'Mint' }],
      address_table_lookups: [LOOKUP],
    },
  },
  tron: {
    tx: {
      ref_block_bytes: 'ab',
      ref_block_hash: 'cd',
      expiration: 1_700_000_060_000,
      timestamp: 1_700_000_000_000,
      data: '',
      fee_limit: 100,
      contract: [{ type: 'TransferContract', owner_address: 'TMe', to_address: 'TYou', amount: 100 }],
    },
  },
  bitcoin: {
    tx: {
      version: '2',
      inputs: [{ tx_id: 'aa', vout: 0, sequence: 4_294_967_293 }],
      outputs: [
        { value: 1000, script_pubkey: '00', address: 'tb1qyou', address_type: 'P2WPKH' },
        { value: 500, script_pubkey: '01', address: 'tb1qme', address_type: 'P2WPKH' },
      ],
      locktime: { amount: 0, type: 'Blocks' },
      fee: 200,
    },
  },
  tempo: {
    tx: {
      chain_id: 42429,
      from: '0xaa',
      nonce: 1,
      gas_limit: 100_000,
      max_fee_per_gas: 10,
      max_priority_fee_per_gas: 1,
      fee_token: '0x20c0',
      valid_before: 0,
      valid_after: 0,
      calls: [{ to: '0xbb', input: '0xA9059CBB00', function_signature: '0xa9059cbb' }],
    },
  },
  time: {
    now: new Instant(Date.parse('2026-03-04T10:00:00Z')), // a Wednesday
    // Each span contains the moment if it begins at nine: what spans are is tested elsewhere.
    isWithin: ({ hours }: { readonly hours: readonly number[] }) => hours.includes(9),
  },
}

export const facts: Facts = values
