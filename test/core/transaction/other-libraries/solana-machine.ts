import { address, lamports, type EncodedAccount } from '@solana/kit'
import { base58 } from '@scure/base'
import { FailedTransactionMetadata, LiteSVM, type TransactionMetadata } from 'litesvm'
import * as assert from 'uvu/assert'
import { concat } from '../../../../core/bytes.ts'
import { otherAddress, TOKEN } from '../solana-transactions.ts'

/* Solana's own runtime, with accounts that hold tokens. */

export const [MINT, SOURCE, TARGET] = [otherAddress(31), otherAddress(32), otherAddress(33)]
/** What each of the accounts has, in lamports. */
export const RICH = 10_000_000_000n

export const account = (key: string, owner: string, data: Uint8Array): EncodedAccount => ({
  address: address(key),
  programAddress: address(owner),
  data,
  executable: false,
  lamports: lamports(RICH),
  space: BigInt(data.length),
})

export const u64 = (value: bigint): Uint8Array => {
  const whole = new Uint8Array(8)
  new DataView(whole.buffer).setBigUint64(0, value, true)
  return whole
}

/** A mint of 6 decimals, without authorities. */
const mint = concat([new Uint8Array(36), u64(100n), Uint8Array.of(6, 1), new Uint8Array(36)])
const tokens = (owner: string, amount: bigint): Uint8Array =>
  concat([
    base58.decode(MINT),
    base58.decode(owner),
    u64(amount),
    new Uint8Array(36),
    Uint8Array.of(1),
    new Uint8Array(56),
  ])

export const LOOKUP_PROGRAM = 'AddressLookupTab1e1111111111111111111111111'

/** The data of a table that is in use, without an authority. */
export const lookupTable = (keys: readonly string[]): Uint8Array =>
  concat([Uint8Array.of(1, 0, 0, 0), u64(2n ** 64n - 1n), new Uint8Array(44), ...keys.map((key) => base58.decode(key))])

/** @param keys  who has lamports; the first has 100 tokens in `SOURCE`, the second none in `TARGET` */
export const machineOf = (keys: readonly [first: string, second: string]): LiteSVM => {
  const machine = new LiteSVM()
  for (const key of keys) machine.airdrop(address(key), lamports(RICH))
  machine.setAccount(account(MINT, TOKEN, mint))
  machine.setAccount(account(SOURCE, TOKEN, tokens(keys[0], 100n)))
  machine.setAccount(account(TARGET, TOKEN, tokens(keys[1], 0n)))
  return machine
}

export const assertRan = (result: TransactionMetadata | FailedTransactionMetadata): void =>
  assert.not.instance(result, FailedTransactionMetadata, result.toString())

export const lamportsOf = (machine: LiteSVM, key: string): bigint => machine.getBalance(address(key)) ?? 0n
export const tokensOf = (machine: LiteSVM, key: string): bigint => {
  const found = machine.getAccount(address(key))
  return found.exists ? new DataView(new Uint8Array(found.data).buffer).getBigUint64(64, true) : -1n
}
