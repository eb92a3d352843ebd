import { base58 } from '@scure/base'
import { PROGRAM } from '../../transaction/anchor-idls.ts'
import {
  BLOCKHASH,
  otherAddress,
  SYSTEM,
  TABLE,
  token,
  TOKEN,
  TOKEN_2022,
  tokenData,
  tokensOf,
  transfer,
  transferData,
  withTables,
  type Wire,
} from '../../transaction/solana-transactions.ts'
import type { SigningKeys } from './signing-keys.ts'
import { ethereumHex, programHex, signing, solanaHex, type Asked } from './transaction-requests.ts'
import type { Row } from './transaction-rows.ts'

export const solanaRows = (keys: SigningKeys): readonly Row[] => [
  ...messageRows(keys),
  ...instructionRows(keys),
  ...tokenRows(keys),
]

const askedBy =
  ({ solana }: SigningKeys) =>
  (wire: Wire): Asked =>
    signing(solana, 'TRANSACTION_TYPE_SOLANA', solanaHex(solana, wire))

/** The payer gives lamports. */
const gives = (amount: bigint): Wire => ({ instructions: [[2, [0, 1], transferData(amount)]] })
/** The other account gives them. */
const given: Wire = { header: [2, 0, 1], instructions: [[2, [1, 0], transferData(5n)]] }
const again: Wire = { instructions: [...(transfer.instructions ?? []), ...(transfer.instructions ?? [])] }
const looked: Wire = { ...withTables, instructions: [[2, [0, 5], transferData(5n)]] }
const lookedElsewhere: Wire = { ...looked, lookups: [[otherAddress(42), [6, 9], [3]]] }

const messageRows = (keys: SigningKeys): readonly Row[] => {
  const asked = askedBy(keys)
  const [moves, more] = [asked(transfer), asked(gives(6n))]
  const others = asked({ keys: ['', otherAddress(3), SYSTEM], ...gives(5n) })
  return [
    [`solana.tx.account_keys.contains('${otherAddress(2)}')`, moves, others],
    [
      `solana.tx.program_keys.all(p, p == '${SYSTEM}')`,
      moves,
      asked({ keys: ['', otherAddress(2), TOKEN], ...gives(5n) }),
    ],
    ['solana.tx.instructions.count() == 1', moves, asked(again)],
    ['solana.tx.transfers.count == 1', moves, asked(again)],
    [`solana.tx.transfers.all(t, t.from == '${keys.solana}')`, moves, asked(given)],
    [`solana.tx.transfers.all(t, t.to == '${otherAddress(2)}')`, moves, others],
    ['solana.tx.transfers.all(t, t.amount <= 5)', moves, more],
    [`solana.tx.transfers.contains({ from: '${keys.solana}', to: '${otherAddress(2)}', amount: 5 })`, moves, more],
    [
      `solana.tx.recent_blockhash == '${base58.encode(BLOCKHASH)}'`,
      moves,
      asked({ ...transfer, blockhash: new Uint8Array(32) }),
    ],
    ['solana.tx.address_table_lookups.count == 0', moves, asked(looked)],
    [`solana.tx.address_table_lookups[0].address_table_key == '${TABLE}'`, asked(looked), asked(lookedElsewhere)],
    ['solana.tx.address_table_lookups[0].writable_indexes.all(i, i == 7)', asked(looked), asked(lookedElsewhere)],
    ['solana.tx.address_table_lookups[0].readonly_indexes.contains(8)', asked(looked), asked(lookedElsewhere)],
    [
      "activity.params.type == 'TRANSACTION_TYPE_SOLANA'",
      moves,
      signing(keys.ethereum, 'TRANSACTION_TYPE_ETHEREUM', ethereumHex()),
    ],
  ]
}

const instructionRows = (keys: SigningKeys): readonly Row[] => {
  const asked = askedBy(keys)
  const moves = asked(transfer)
  const program = (data: string, accounts?: readonly number[]): Asked =>
    signing(keys.solana, 'TRANSACTION_TYPE_SOLANA', programHex(keys.solana, data, accounts))
  const [go, stop] = [program('0105'), program('02')]
  const all = (condition: string): string => `solana.tx.instructions.all(i, ${condition})`
  const parsed = (condition: string): string => all(`i.parsed_instruction_data.${condition}`)
  return [
    [all(`i.program_key == '${PROGRAM}'`), go, moves],
    [all('i.accounts.count() == 2'), go, program('0105', [0, 1, 2])],
    [all(`i.accounts.any(a, a.account_key == '${otherAddress(2)}')`), go, program('0105', [0, 2])],
    [all('i.accounts.filter(a, a.signer).count() == 1'), moves, asked({ header: [2, 0, 1], ...transfer })],
    [all('i.accounts.filter(a, a.writable).count() == 2'), moves, asked({ header: [1, 0, 2], ...transfer })],
    [all("i.instruction_data_hex == '020000000500000000000000'"), moves, asked(gives(6n))],
    [all('i.address_table_lookups.count() == 0'), moves, asked(looked)],
    [parsed("instruction_name == 'go'"), go, stop],
    [parsed("discriminator == '02'"), stop, go],
    [parsed(`named_accounts['payer'] == '${keys.solana}'`), go, program('0105', [1, 0])],
    [parsed(`named_account['vault'] == '${otherAddress(2)}'`), go, program('0105', [0, 2])],
    [parsed("program_call_args['amount'] <= 5"), go, program('0106')],
    [parsed("instruction_name == 'go'"), go, moves],
  ]
}

const tokenRows = (keys: SigningKeys): readonly Row[] => {
  const of = (accounts: readonly number[], amount = 9n, program = TOKEN): Asked =>
    askedBy(keys)({ ...tokensOf(program), instructions: [[6, accounts, tokenData([3], amount)]] })
  const checked = (accounts: readonly number[]): Asked =>
    askedBy(keys)({ ...tokensOf(TOKEN_2022), instructions: [[6, accounts, tokenData([12], 9n, [6])]] })
  const [moves, back] = [of([3, 4, 1]), of([4, 3, 0])]
  const all = (condition: string): string => `solana.tx.spl_transfers.all(t, t.${condition})`
  return [
    ['solana.tx.spl_transfers.count() == 1', moves, askedBy(keys)(transfer)],
    [all(`from == '${token.from}'`), moves, back],
    [all(`to == '${token.to}'`), moves, back],
    [all('amount <= 9'), moves, of([3, 4, 1], 10n)],
    [all(`owner == '${token.owner}'`), moves, back],
    [all(`signers.contains('${token.cosigner}')`), of([3, 4, 1, 2]), moves],
    [all(`token_mint == '${token.mint}'`), checked([3, 5, 4, 1]), moves],
    [all(`token_mint == '${token.mint}'`), checked([3, 5, 4, 1]), checked([3, 4, 5, 1])],
  ]
}
