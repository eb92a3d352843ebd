import { encodeHex } from '../../../../core/bytes.ts'
import type { TransactionType } from '../../../../core/transaction/chains.ts'
import type { RLPInput } from 'micro-eth-signer/core/rlp.js'
import { mail, type TypedData } from '../../keys/typed-data.ts'
import { transactionHex } from '../../transaction/ethereum-account.ts'
import { approve, transfer, word } from '../../transaction/ethereum-calls.ts'
import { PROGRAM } from '../../transaction/anchor-idls.ts'
import { inputOf, psbtOf } from '../../transaction/psbts.ts'
import { addressOf, otherAddress, SYSTEM, wireOf, type Wire } from '../../transaction/solana-transactions.ts'
import { hexOf, members as tempoMembers } from '../../transaction/tempo-transactions.ts'
import { rawData } from '../../transaction/tron-bytes.ts'
import { codeOf, type Person, type Place } from '../../world/world.ts'
import type { Members } from '../wallet/wallet-world.ts'
import type { ChainKeys } from './signing-keys.ts'

/*
 * Requests for signatures of every chain, as the tables of policies have them.
 */

/** A request that somebody makes: its path and its parameters. */
export type Asked = readonly [path: string, parameters: Members]

/** @param hex  of the transaction */
export const signing = (signWith: string, type: TransactionType, hex: string): Asked => [
  'sign_transaction',
  { signWith, type, unsignedTransaction: hex },
]

/** Two contracts of Ethereum: the first has an interface. */
export const CONTRACT = '0xCdCDCdCdcdcdcdCdcDcDCdcDcDCdCdcdCdcDCDcD'
export const OTHER_CONTRACT = `0x${'ef'.repeat(20)}`

type Ethereum = {
  readonly type?: 0 | 1 | 2 | 3 | 4
  readonly chain?: bigint
  readonly nonce?: bigint
  readonly priority?: bigint
  readonly fee?: bigint
  readonly blobFee?: bigint
  readonly gas?: bigint
  readonly to?: string
  readonly value?: bigint
  readonly data?: string
}

const AUTHORIZATION: RLPInput = [0n, OTHER_CONTRACT, 1n, 0n, 1n, 1n]

/** Of type 2, unless it says otherwise: a call of the contract that gives it 5 wei. */
export const ethereumHex = (given: Ethereum = {}): string => {
  const { type = 2, chain = 1n, nonce = 7n, priority = 2n, fee = 9n, blobFee = 3n, gas = 21_000n } = given
  const { to = CONTRACT, value = 5n, data = '' } = given
  const call: RLPInput[] = [gas, to, value, `0x${data}`]
  if (type === 0) return transactionHex(undefined, [nonce, fee, ...call, chain, 0n, 0n])
  if (type === 1) return transactionHex(1, [chain, nonce, fee, ...call, []])
  const more: RLPInput[] = type === 3 ? [blobFee, [`0x01${'22'.repeat(31)}`]] : type === 4 ? [[AUTHORIZATION]] : []
  return transactionHex(type, [chain, nonce, priority, fee, ...call, [], ...more])
}

const order = {
  type: 'function',
  name: 'order',
  inputs: [{ name: 'order', type: 'tuple', components: [{ type: 'address' }, { type: 'uint8' }] }],
}

/** The interface of `CONTRACT`. */
export const ABI = JSON.stringify([transfer, approve, order])

/** Call data of `order`, whose selector is the first bytes of the hash of `order((address,uint8))`. */
export const orderOf = (amount: number): string => `b9a68254${'ab'.repeat(20).padStart(64, '0')}${word(amount)}`
export const approveOf = (amount: number): string => `095ea7b3${'ab'.repeat(20).padStart(64, '0')}${word(amount)}`

/** The interface of `PROGRAM`: `go` has the discriminator 01, and `stop` has 02. */
export const IDL = JSON.stringify({
  instructions: [
    {
      name: 'go',
      discriminator: [1],
      accounts: [{ name: 'payer', writable: true, signer: true }, { name: 'vault' }],
      args: [{ name: 'amount', type: 'u8' }],
    },
    { name: 'stop', discriminator: [2], accounts: [{ name: 'vault' }, { name: 'payer' }], args: [] },
  ],
  types: [],
})

/** A transaction of Solana whose first key is that of the account, in the place of `addressOf(1)`. */
export const solanaHex = (signWith: string, wire: Wire): string => {
  const { keys = [addressOf(1), otherAddress(2), SYSTEM] } = wire
  return encodeHex(wireOf({ ...wire, keys: keys.with(0, signWith) }))
}

/** An instruction of `PROGRAM`, with the payer and another account. */
export const programHex = (signWith: string, data: string, accounts: readonly number[] = [0, 1]): string =>
  solanaHex(signWith, {
    keys: [signWith, otherAddress(2), otherAddress(3), PROGRAM],
    header: [1, 0, 2],
    instructions: [[3, accounts, data]],
  })

export const tronHex = (...given: Parameters<typeof rawData>): string => encodeHex(rawData(...given))

/** A PSBT that spends 9000 satoshis of the account. */
export const bitcoinHex = (
  { bitcoin }: ChainKeys,
  more: Partial<Parameters<typeof psbtOf>[0]> = {},
  seed?: number,
): string => encodeHex(psbtOf({ inputs: [inputOf('P2WPKH', bitcoin.key, 9_000n, seed)], ...more }))

/** One of Tempo with another member in a place. */
export const tempoHex = (place = 0, member: RLPInput = tempoMembers[place] ?? ''): string =>
  hexOf(tempoMembers.with(place, member))

/** The typed data of the standard's example, with other members. */
export const typedData = (signWith: string, more: Partial<TypedData> = {}): Asked => [
  'sign_raw_payload',
  { signWith, ...payloadOf('EIP712', { ...mail, ...more }) },
]

const payloadOf = (encoding: string, payload: object): Members => ({
  payload: JSON.stringify(payload),
  encoding: `PAYLOAD_ENCODING_${encoding}`,
  hashFunction: 'HASH_FUNCTION_NO_OP',
})

/** An authorization for an account to run the code of a contract. */
export const authorizing = (signWith: string, more: Members = {}): Asked => [
  'sign_raw_payload',
  {
    signWith,
    ...payloadOf('EIP7702_AUTHORIZATION', { address: OTHER_CONTRACT, chainId: 1, nonce: 3, ...more }),
  },
]

/** As many payloads like that of the request in one request. */
export const several = ([, { payload = '', ...form }]: Asked, count: number): Asked => [
  'sign_raw_payloads',
  { ...form, payloads: Array.from({ length: count }, () => payload) },
]

const FORMS = { ethereum: 'SMART_CONTRACT_INTERFACE_TYPE_ETHEREUM', solana: 'SMART_CONTRACT_INTERFACE_TYPE_SOLANA' }

/** The request that keeps an interface. */
export const interfaceFor = (
  smartContractAddress: string,
  smartContractInterface: string,
  chain: keyof typeof FORMS = 'ethereum',
): Asked => [
  'create_smart_contract_interface',
  { smartContractAddress, smartContractInterface, type: FORMS[chain], label: 'contract' },
]

/** Lets a person do what a condition allows, while something is done. */
export const underPolicy = async <A>(
  w: Place,
  { userId }: Person,
  condition: string,
  act: () => Promise<A>,
): Promise<A> => {
  const { result } = await w.done(w.root, 'create_policy', {
    policyName: 'the policy in force',
    effect: 'EFFECT_ALLOW',
    consensus: `approvers.any(user, user.id == '${userId}')`,
    condition,
    notes: '',
  })
  const acted = await act()
  const { policyId } = result['createPolicyResult'] as { readonly policyId: string } // as defined
  await w.done(w.root, 'delete_policy', { policyId })
  return acted
}

export const outcomeOf = async (w: Place, person: Person, [path, parameters]: Asked): Promise<string> =>
  codeOf(await w.submit(person, path, parameters))
