import { encodeHex } from '../../../../core/bytes.ts'
import { transactionTypes, type TransactionType } from '../../../../core/transaction/chains.ts'
import { INPUT } from '../../../../core/transaction/psbt-fields.ts'
import { transactionHex } from '../../transaction/ethereum-account.ts'
import { approve, transferOf, word } from '../../transaction/ethereum-calls.ts'
import {
  entry,
  grace,
  inputOf,
  keyOf,
  legacyInput,
  outputBytes,
  payment,
  scriptOf,
  withField,
} from '../../transaction/psbts.ts'
import {
  otherAddress,
  SYSTEM,
  TOKEN,
  tokenData,
  transfer,
  transferData,
  withTables,
} from '../../transaction/solana-transactions.ts'
import { field } from '../../transaction/tron-bytes.ts'
import type { ChainKeys } from './signing-keys.ts'
import {
  authorizing,
  bitcoinHex,
  CONTRACT,
  ethereumHex,
  interfaceFor,
  OTHER_CONTRACT,
  signing,
  solanaHex,
  tempoHex,
  tronHex,
  type Asked,
} from './transaction-requests.ts'

export const ALLOWED = 'no failure'
export const DENIED = 'REQUEST_NOT_AUTHORIZED'
const INVALID = 'INVALID_TRANSACTION'
const UNSUPPORTED = 'UNSUPPORTED_TRANSACTION_TYPE'
const BAD_REQUEST = 'REQUEST_INVALID'

/** An enemy, the policy that is in force, what the enemy asks, and the outcome. */
export type Enemy = readonly [name: string, condition: string, asked: Asked, outcome: string]

export type EnemyKeys = ChainKeys & { readonly disabled: string }

/** A policy that allows whatever the tables ask. */
export const EVERYTHING = "activity.resource in ['PRIVATE_KEY', 'SMART_CONTRACT_INTERFACE']"

/** One whose outcome is the same under a policy that allows everything. */
const always = (name: string, asked: Asked, code: string): Enemy => [name, EVERYTHING, asked, code]

/** One that a naive policy lets through, and that a stricter one denies. */
const named = (name: string, asked: Asked, naive: string, stricter: string): readonly Enemy[] => [
  [name, naive, asked, ALLOWED],
  [name, stricter, asked, DENIED],
]

/** A contract that calls itself with whatever it is given. */
export const ROUTER = `0x${'dd'.repeat(20)}`
const functionOf = (name: string, type: string) => ({ type: 'function', name, inputs: [{ name: 'a', type }] })
export const ROUTER_ABI = JSON.stringify([functionOf('multicall', 'bytes[]')])
/** Two functions of one selector: 42966c68. */
const [burn, other] = [functionOf('burn', 'uint256'), functionOf('collate_propagate_storage', 'bytes16')]
/** The interface of a contract that says `burn`, whatever the contract does with this selector. */
export const BURN_ABI = JSON.stringify([burn])

const multicall = `ac9650d8${word(32)}${word(1)}${word(32)}${word(68)}${transferOf(5)}${'00'.repeat(28)}`

export const callEnemies = ({ ethereum }: EnemyKeys): readonly Enemy[] => {
  const call = (data: string, to = CONTRACT): Asked =>
    signing(ethereum, 'TRANSACTION_TYPE_ETHEREUM', ethereumHex({ data, to, value: 0n }))
  const isTransfer = "eth.tx.function_name == 'transfer'"
  return [
    ...named(
      'a token transfer hidden in a multicall',
      call(multicall, ROUTER),
      "eth.tx.data[0..10] != '0xa9059cbb'",
      `eth.tx.data[0..10] != '0xa9059cbb' && eth.tx.to == '${CONTRACT}'`,
    ),
    ...named(
      'a token transfer hidden in a multicall of a contract with an interface',
      call(multicall, ROUTER),
      "eth.tx.function_name != 'transfer'",
      `${isTransfer} && eth.tx.contract_call_args['amount'] <= 5`,
    ),
    ...named(
      'call data longer than its ABI',
      call(transferOf(5) + word(1)),
      `eth.tx.to == '${CONTRACT}' && eth.tx.data[0..10] == '0xa9059cbb'`,
      `eth.tx.to == '${CONTRACT}' && ${isTransfer}`,
    ),
    ...named(
      'call data shorter than its ABI',
      call(transferOf(5).slice(0, -2)),
      `eth.tx.to == '${CONTRACT}' && eth.tx.data[0..10] == '0xa9059cbb'`,
      `eth.tx.to == '${CONTRACT}' && ${isTransfer}`,
    ),
    always(
      'an interface with two functions of one selector',
      interfaceFor(`0x${'99'.repeat(20)}`, JSON.stringify([burn, other])),
      BAD_REQUEST,
    ),
    ...named(
      "an interface whose function has the selector of another contract's function",
      call(`42966c68${word(0)}`, OTHER_CONTRACT),
      "eth.tx.function_name == 'burn'",
      `eth.tx.function_name == 'burn' && eth.tx.to == '${CONTRACT}'`,
    ),
    always(
      'a second interface for a contract, in another case',
      interfaceFor(CONTRACT.toLowerCase(), JSON.stringify([approve])),
      BAD_REQUEST,
    ),
  ]
}

export const chainIdEnemies = ({ ethereum }: EnemyKeys): readonly Enemy[] => {
  const asked = (hex: string): Asked => signing(ethereum, 'TRANSACTION_TYPE_ETHEREUM', hex)
  const pays = `eth.tx.to == '${CONTRACT}' && eth.tx.value <= 5`
  const authorizes = `eth.eip_7702_authorization.address == '${OTHER_CONTRACT}'`
  return [
    always('a chain id of 0, of a legacy transaction', asked(ethereumHex({ type: 0, chain: 0n })), INVALID),
    always('a chain id of 0, of Tempo', signing(ethereum, 'TRANSACTION_TYPE_TEMPO', tempoHex(0, 0n)), INVALID),
    ...named('a chain id of 0', asked(ethereumHex({ chain: 0n })), pays, `${pays} && eth.tx.chain_id == 1`),
    ...named(
      'no chain id, so that every chain takes it',
      asked(transactionHex(undefined, [7n, 9n, 21_000n, CONTRACT, 5n, '0x'])),
      pays,
      `${pays} && eth.tx.chain_id == 1`,
    ),
    ...named(
      'an authorization for all chains',
      authorizing(ethereum, { chainId: 0 }),
      authorizes,
      `${authorizes} && eth.eip_7702_authorization.chain_id == 1`,
    ),
    ...named(
      'a transaction with authorizations that no member shows',
      asked(ethereumHex({ type: 4 })),
      pays,
      `${pays} && eth.tx.type != 'TYPE_4'`,
    ),
  ]
}

export const solanaEnemies = ({ solana, ethereum }: EnemyKeys): readonly Enemy[] => {
  const asked = (...given: Parameters<typeof solanaHex>): Asked =>
    signing(solana, 'TRANSACTION_TYPE_SOLANA', solanaHex(...given))
  const pays = `solana.tx.transfers.all(t, t.to == '${otherAddress(2)}' && t.amount <= 5)`
  const approval = asked(solana, {
    keys: ['', otherAddress(2), SYSTEM, TOKEN],
    header: [1, 0, 2],
    instructions: [
      [2, [0, 1], transferData(5n)],
      [3, [1, 1, 0], tokenData([4], 9n)],
    ],
  })
  const behindTable = asked(solana, { ...withTables, instructions: [[4, [0], '']] })
  return [
    ...named(
      'a second instruction behind an allowed one',
      approval,
      pays,
      `${pays} && solana.tx.program_keys.all(p, p == '${SYSTEM}')`,
    ),
    ...named(
      'a second instruction, for a policy that counts',
      approval,
      pays,
      `${pays} && solana.tx.instructions.count() == 1`,
    ),
    always('a program behind a lookup table', behindTable, UNSUPPORTED),
    ...named(
      'a receiver behind a lookup table',
      asked(solana, { ...withTables, instructions: [[2, [0, 5], transferData(5n)]] }),
      'solana.tx.transfers.all(t, t.amount <= 5)',
      pays,
    ),
    always('a signer that is not required', asked(otherAddress(8), transfer), BAD_REQUEST),
    always(
      'a key of secp256k1 for Solana',
      signing(ethereum, 'TRANSACTION_TYPE_SOLANA', solanaHex(solana, transfer)),
      BAD_REQUEST,
    ),
    always('a byte behind the message', asked(solana, { ...transfer, trailing: [0] }), INVALID),
  ]
}

export const bitcoinEnemies = (keys: EnemyKeys): readonly Enemy[] => {
  const { address, key } = keys.bitcoin
  const asked = (more?: Parameters<typeof bitcoinHex>[1]): Asked =>
    signing(address, 'TRANSACTION_TYPE_BITCOIN', bitcoinHex(keys, more))
  const [payee, change] = [payment.script, scriptOf('P2WPKH', key)].map(encodeHex)
  const own = inputOf('P2WPKH', key, 9_000n)
  const pays = `bitcoin.tx.outputs.any(o, o.script_pubkey == '${payee}' && o.value <= 1000)`
  const outputs = [payment, { amount: 7_900n, script: scriptOf('P2TR', keyOf(3)) }]
  const isCheap = `${pays} && bitcoin.tx.fee <= 10000`
  const spent = { amount: 8_000n, script: scriptOf('P2WPKH', grace) }
  const claim = entry(INPUT.witnessUtxo, outputBytes({ ...spent, amount: 9_000n }))
  return [
    ...named(
      'the change output with another script',
      asked({ outputs }),
      pays,
      `${pays} && bitcoin.tx.outputs.all(o, o.script_pubkey in ['${payee}', '${change}'])`,
    ),
    ...named(
      "a witness amount that lies, of another's input",
      asked({ inputs: [own, inputOf('P2WPKH', grace, 1_000n, 1)] }),
      isCheap,
      `${isCheap} && bitcoin.tx.inputs.count() == 1`,
    ),
    always(
      'a witness amount that the previous transaction contradicts',
      asked({ inputs: [own, withField(legacyInput(spent, 1), claim)] }),
      INVALID,
    ),
    always('inputs of others alone', asked({ inputs: [inputOf('P2WPKH', grace, 9_000n)] }), BAD_REQUEST),
    always('outputs that are paid by nobody', asked({ outputs: [{ ...payment, amount: 9_001n }] }), INVALID),
  ]
}

const TRANSFER_URL = 'type.googleapis.com/protocol.TransferContract'
const MEGABYTE = 1_000_000
const list = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

export const formEnemies = ({ ethereum, solana, tron, disabled }: EnemyKeys): readonly Enemy[] => {
  const asked = (hex: string, signWith = ethereum): Asked => signing(signWith, 'TRANSACTION_TYPE_ETHEREUM', hex)
  const onTron = (...given: Parameters<typeof tronHex>): Asked =>
    signing(tron, 'TRANSACTION_TYPE_TRON', tronHex(...given))
  const interfaced = (text: string): Asked => interfaceFor(`0x${'99'.repeat(20)}`, text)
  const unknown = { type: 2n, typeUrl: 'type.googleapis.com/protocol.TransferAssetContract' }
  const [hex, hexOnTron] = [ethereumHex(), tronHex()]
  const signed = transactionHex(2, [1n, 7n, 2n, 9n, 21_000n, CONTRACT, 5n, '0x', [], 0n, 1n, 1n])
  return [
    always('an unknown TRON contract', onTron(unknown), UNSUPPORTED),
    always(
      'an unknown TRON contract that says that it is a transfer',
      onTron({ ...unknown, typeUrl: TRANSFER_URL }),
      UNSUPPORTED,
    ),
    always('a TRON transfer that says that it is an unknown contract', onTron({ ...unknown, type: 1n }), INVALID),
    always('two TRON contracts', onTron({ contracts: 2 }), INVALID),
    always('a megabyte of nested lists as an interface', interfaced(list(MEGABYTE / 2)), BAD_REQUEST),
    always('nested lists as an interface of the most characters', interfaced(list(200_000)), BAD_REQUEST),
    always('a megabyte of nested lists as a transaction', asked('c1'.repeat(MEGABYTE)), INVALID),
    always('nested lists as a transaction of the most bytes', asked('c1'.repeat(128 * 1024)), INVALID),
    always('a transaction with a byte too many', asked('00'.repeat(128 * 1024 + 1)), INVALID),
    always('a transaction signed already', asked(signed), ALLOWED),
    always(
      'a transaction of TRON signed already',
      signing(tron, 'TRANSACTION_TYPE_TRON', encodeHex(field(1, Buffer.from(hexOnTron, 'hex')))),
      INVALID,
    ),
    ...[`0x${hex}`, `0X${hex}`, hex.toUpperCase(), `0x${hex.toUpperCase()}`].map((text) =>
      always(`hex in another form: ${text.slice(0, 4)}`, asked(text), ALLOWED),
    ),
    always('0x twice', asked(`0x0x${hex}`), INVALID),
    always('an empty text', asked(''), BAD_REQUEST),
    always('0x alone', asked('0x'), INVALID),
    always('an odd length', asked(hex.slice(1)), INVALID),
    always('no hex', asked(`${hex.slice(2)}zz`), INVALID),
    always('a space behind it', asked(`${hex} `), INVALID),
    always('a key of ed25519 for Ethereum', asked(hex, solana), BAD_REQUEST),
    ['a key of ed25519 for Ethereum', 'eth.tx.value <= 5', asked(hex, solana), DENIED],
    always('a disabled private key', asked(hex, disabled), BAD_REQUEST),
    always('a key that nobody has', asked(hex, OTHER_CONTRACT), 'RESOURCE_NOT_FOUND'),
  ]
}

/** The transactions of each chain under the types of all others. */
export const strangers = (keys: EnemyKeys): readonly Enemy[] => {
  const { ethereum, solana, tron, bitcoin } = keys
  const honest: Readonly<Record<TransactionType, readonly [signWith: string, hex: string]>> = {
    TRANSACTION_TYPE_ETHEREUM: [ethereum, ethereumHex()],
    TRANSACTION_TYPE_SOLANA: [solana, solanaHex(solana, transfer)],
    TRANSACTION_TYPE_TRON: [tron, tronHex()],
    TRANSACTION_TYPE_BITCOIN: [bitcoin.address, bitcoinHex(keys)],
    TRANSACTION_TYPE_TEMPO: [ethereum, tempoHex()],
  }
  // By the first byte, Ethereum and Tempo tell types that they do not sign; that of Solana is the number of signatures.
  const codeOf = (as: TransactionType, of: TransactionType): string =>
    as === 'TRANSACTION_TYPE_TEMPO' || (as === 'TRANSACTION_TYPE_ETHEREUM' && of !== 'TRANSACTION_TYPE_SOLANA')
      ? UNSUPPORTED
      : INVALID
  return transactionTypes.flatMap((of) =>
    transactionTypes.map((as) =>
      always(`${of} as ${as}`, signing(honest[as][0], as, honest[of][1]), as === of ? ALLOWED : codeOf(as, of)),
    ),
  )
}
