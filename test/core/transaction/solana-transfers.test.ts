import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { concat } from '../../../core/bytes.ts'
import { solana } from '../../../core/policy/keywords/solana.ts'
import { fieldOf } from '../../../core/policy/value-types.ts'
import { assertFits } from './fits.ts'
import {
  addressOf,
  batch,
  factsOf,
  otherAddress,
  SYSTEM,
  token,
  TOKEN,
  TOKEN_2022,
  tokenData,
  tokensOf,
  transfer,
  transferData,
  withTables,
  worth,
  type BatchPart,
  type Wire,
} from './solana-transactions.ts'

const it = suite('transfers in Solana transactions')

const { from, mint, to, owner, cosigner } = token
const type = fieldOf(solana, 'tx')
const one = { from, to, amount: 9n, owner }
const withMint = { ...one, token_mint: mint }
const approval: BatchPart = [3, tokenData([4], 9n)]
const transfers: readonly (readonly [string, Wire, readonly object[], readonly object[]])[] = [
  [
    'a transfer',
    { instructions: [[2, [0, 1], transferData(5n)]] },
    [{ from: addressOf(1), to: otherAddress(2), amount: 5n }],
    [],
  ],
  [
    'a transfer with bytes and accounts behind it, which runs all the same',
    { instructions: [[2, [0, 1, 2, 0], concat([transferData(2n ** 64n - 1n), Uint8Array.of(1)])]] },
    [{ from: addressOf(1), to: otherAddress(2), amount: 18_446_744_073_709_551_615n }],
    [],
  ],
  [
    'a transfer from an account of a seed',
    { instructions: [[2, [1, 0, 2], concat([transferData(5n, 11), new Uint8Array(40)])]] },
    [{ from: otherAddress(2), to: SYSTEM, amount: 5n }],
    [],
  ],
  ['no creation of an account, which moves lamports', { instructions: [[2, [0, 1], transferData(5n, 0)]] }, [], []],
  ['no System instruction without data', { instructions: [[2, [0, 1], '']] }, [], []],
  ['no tag of more than a byte', { instructions: [[2, [0, 1], '020001000500000000000000']] }, [], []],
  [
    'Transfer',
    { ...tokensOf(TOKEN), instructions: [[6, [3, 4, 1], tokenData([3], 9n)]] },
    [],
    [{ ...one, signers: [] }],
  ],
  [
    'Transfer of a multisig',
    { ...tokensOf(TOKEN), instructions: [[6, [3, 4, 1, 2, 0, 5], tokenData([3], 9n)]] },
    [],
    [{ ...one, signers: [cosigner, addressOf(1)] }],
  ],
  [
    'TransferChecked',
    { ...tokensOf(TOKEN), instructions: [[6, [3, 5, 4, 1], tokenData([12], 9n, [6])]] },
    [],
    [{ ...withMint, signers: [] }],
  ],
  [
    'TransferCheckedWithFee of Token-2022, with the accounts of a hook',
    {
      ...tokensOf(TOKEN_2022),
      instructions: [[6, [3, 5, 4, 1, 5, 6], tokenData([26, 1], 9n, [6, 1, 0, 0, 0, 0, 0, 0, 0])]],
    },
    [],
    [{ ...withMint, signers: [] }],
  ],
  [
    'transfers in a batch of Token, and nothing else of it',
    {
      ...tokensOf(TOKEN),
      instructions: [
        [6, [3, 4, 1, 3, 4, 1, 3, 5, 4, 1, 2], batch(approval, [3, tokenData([3], 9n)], [5, tokenData([12], 9n, [6])])],
      ],
    },
    [],
    [
      { ...one, signers: [] },
      { ...withMint, signers: [cosigner] },
    ],
  ],
  ...[
    ['Approve', '040900000000000000'],
    ['SetAuthority', '06020000'],
    ['CloseAccount', '09'],
    ['another instruction about fees', '2600'],
    ['no data', ''],
  ].map(([name = '', data = '']): readonly [string, Wire, readonly object[], readonly object[]] => [
    `no ${name} of Token`,
    { ...tokensOf(TOKEN), instructions: [[6, [3, 4, 1], data]] },
    [],
    [],
  ]),
  [
    'nothing of another program',
    { keys: [addressOf(1), otherAddress(2), otherAddress(3)], instructions: [[2, [0, 1], transferData(5n)]] },
    [],
    [],
  ],
]
for (const [name, wire, lamports, spl] of transfers)
  it(`sees as a transfer: ${name}`, async () => {
    const facts = await factsOf(wire)
    if (type !== undefined) assertFits(type, facts)
    assert.equal(facts['transfers'], lamports)
    assert.equal(facts['spl_transfers'], spl)
  })

const second = { instructions: [...(transfer.instructions ?? []), [2, [0, 1], transferData(7n)] as const] }
const conditions: readonly (readonly [string, string, Wire, string])[] = [
  ['an instruction alone', 'solana.tx.instructions.count() == 1', transfer, 'true'],
  ['a second instruction behind an allowed one', 'solana.tx.instructions.count() == 1', second, 'false'],
  ['the amount of each transfer', 'solana.tx.transfers.all(t, t.amount <= 5)', second, 'false'],
  [
    'lamports that a new account takes along',
    "solana.tx.instructions.all(i, i.program_key != '11111111111111111111111111111111' || i.instruction_data_hex[0..8] == '02000000')",
    { instructions: [[2, [0, 1], transferData(5n, 0)]] },
    'false',
  ],
  [
    'an approval of another owner',
    `solana.tx.instructions.all(i, i.program_key != '${TOKEN}' || i.instruction_data_hex[0..2] in ['03', '0c'])`,
    { ...tokensOf(TOKEN), instructions: [[6, [3, 4, 1], '040900000000000000']] },
    'false',
  ],
  [
    'a program that was not expected',
    `solana.tx.program_keys.all(p, p in ['${SYSTEM}'])`,
    {
      keys: [addressOf(1), otherAddress(2), otherAddress(3), SYSTEM],
      header: [1, 0, 2],
      instructions: [
        [2, [], ''],
        [3, [0, 1], transferData(1n)],
      ],
    },
    'false',
  ],
  [
    'a receiver behind a table',
    `solana.tx.transfers.all(t, t.to in ['${otherAddress(2)}'])`,
    { ...withTables, instructions: [[2, [0, 4], transferData(1n)]] },
    'false',
  ],
  [
    'a durable nonce',
    "solana.tx.instructions.any(i, i.instruction_data_hex == '04000000')",
    { instructions: [[2, [1, 2, 0], '04000000']] },
    'true',
  ],
]
for (const [name, condition, wire, expected] of conditions)
  it(`lets a policy see ${name}`, async () => assert.is(worth(condition, await factsOf(wire)), expected))

it.run()
