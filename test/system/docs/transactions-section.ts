import { table } from './shape-table.ts'

/** Conditions that keep off what a policy cannot see; a test compiles each. */
export const SAFE_CONDITIONS = {
  types: "eth.tx.type in ['LEGACY', 'TYPE_2'] && eth.tx.chain_id == 1",
  authorization: 'eth.eip_7702_authorization.chain_id == 1',
  one: 'solana.tx.instructions.count() == 1 && solana.tx.transfers.count() == 1',
  system:
    "solana.tx.instructions.all(i, i.program_key != '11111111111111111111111111111111' || i.instruction_data_hex[0..8] == '02000000')",
  outputs: "bitcoin.tx.outputs.all(o, o.script_pubkey in ['0014…', '0014…']) && bitcoin.tx.fee <= 20000",
  tron: "tron.tx.contract[0].type == 'TransferContract' && tron.tx.contract[0].amount <= 5000000",
} as const

const code = (text: string): string => `\`${text.replaceAll('|', String.raw`\|`)}\``

/** What the keywords of transactions show of each chain, and what they do not. */
export const transactionsSection = (): readonly string[] => [
  '## What policies see of transactions',
  `\`sign_transaction\` gives a value to the keyword of its \`type\`. \`sign_raw_payload\` gives one to \`eth.eip_712\` and
\`eth.eip_7702_authorization\`, as does \`sign_raw_payloads\` with one payload. The facts are read from the bytes that are signed: bytes that would be written
in another way are \`INVALID_TRANSACTION\`, and forms that are not signed here are \`UNSUPPORTED_TRANSACTION_TYPE\`. \`from\` is the account that signs. If its
key cannot sign the transaction, there is no \`tx\`. A signature that is there already is dropped; other signers' stay.`,
  table(
    ['chain', 'signed', 'refused', 'a policy cannot see'],
    [
      [
        'Ethereum',
        'legacy, with or without a chain id; types 1, 2, 3 (without the blobs) and 4',
        'blobs themselves; other types; a chain id of 0 in a legacy transaction',
        'access lists, authorizations of type 4, hashes of blobs; what a contract does inside, such as the calls of a multicall',
      ],
      [
        'Typed data',
        'EIP-712, EIP-7702',
        'what has no digest',
        'the salt of a domain, and members of a domain that have another type than the standard gives them',
      ],
      [
        'Solana',
        'legacy and version 0, of at most 1232 bytes',
        'a program behind a lookup table; instructions that no validator would begin',
        'accounts behind a table (they read `ADDRESS_TABLE_LOOKUP`); what a program does inside; whether the block hash is a nonce',
      ],
      [
        'Bitcoin',
        'PSBT of version 0: P2PKH, P2SH, P2WPKH, P2WSH, and the key path of P2TR; all inputs of the signer, not finalized',
        'segwit inside P2SH, scripts of taproot, other sighash types than ALL and DEFAULT, OP_CODESEPARATOR, inputs without an amount',
        'amounts and owners of the inputs; whether an output is change',
      ],
      [
        'TRON',
        '`raw_data` with one contract of the seven types below',
        'other contracts, and fields that policies would not see',
        'what a called contract does; the meaning of its `data`',
      ],
      [
        'Tempo',
        'type `76` with a key of secp256k1',
        'sponsors, keys that are authorized, delegations, amounts of a native coin',
        'the key of the nonce, the access list',
      ],
    ],
  ),
  `- **Ethereum.** \`gas_price\` of types 2 to 4 is \`max_fee_per_gas\`. \`to\` is \`''\` for a creation. A legacy transaction without a chain id reads 0, and
  holds on every chain, and so does an authorization with the chain id 0: compare it. ${code(SAFE_CONDITIONS.types)} and
  ${code(SAFE_CONDITIONS.authorization)}.
- **Calls of contracts.** With an [interface](../how-to/decide-on-transactions.md) for \`to\`, there are \`function_name\`, \`function_signature\` and
  \`contract_call_args\`: integers are numbers, addresses and bytes hex, tuples lists by position, and a parameter without a name has its index,
  \`contract_call_args['0']\`. Data that do not fit to the last byte have none of the three, and a rule that reads them errs.
- **Solana.** \`transfers\` are those of the System program, with or without a seed; \`spl_transfers\` those of Token and Token-2022, also inside a batch of
  theirs, and their \`from\` and \`to\` are token accounts. Both are of the top level. Lamports also move by CreateAccount and WithdrawNonceAccount, tokens by
  Approve, SetAuthority, Burn and CloseAccount: bound all instructions. ${code(SAFE_CONDITIONS.one)}, or ${code(SAFE_CONDITIONS.system)}.
- **Programs.** With an IDL for \`program_key\`, an instruction has \`parsed_instruction_data\`. Fractional numbers are texts; \`bytes\` are hex; a struct is a
  map; an enum is \`{ name: 'Limit', Limit: … }\`; an option without a value is absent. Accounts of a group are named \`group.account\`.
- **Bitcoin.** \`fee\` is what the amounts of the PSBT say. Amounts of legacy inputs are proved by the previous transaction, those of the signer's own inputs
  by its signature, which is worth nothing if they are wrong, and a signature of taproot binds all. **Amounts of other signers' segwit inputs are only
  claimed**: two PSBTs of one transaction can each show a low fee. So bound the outputs, too: ${code(SAFE_CONDITIONS.outputs)}. \`address\` is of the network
  of the signer's address, mainnet if it has none; outputs of other scripts than the five have no \`address\`.
- **TRON.** A contract has the members of its type, and no others: name the type first. ${code(SAFE_CONDITIONS.tron)}. \`owner_address\` may be another
  account, which gave this key a permission. \`AccountPermissionUpdateContract\` gives an account away. The memo, \`data\`, is hex.`,
  'The most of a transaction is 128 kB; of a PSBT, the number of own legacy inputs times its size is at most 16 MiB.',
]
