import { sha256 } from '@noble/hashes/sha2.js'
import { concat, encodeHex } from '../../../core/bytes.ts'
import { hash160 } from '../../../core/keys/addresses/checksums.ts'
import { publicKeyOf } from '../../../core/keys/public-key.ts'
import { sign, type SigningScheme } from '../../../core/keys/signing.ts'
import { outputKeyOf } from '../../../core/keys/taproot.ts'
import * as assert from 'uvu/assert'
import { E } from '../../../core/prelude.ts'
import { p2pkhScript, p2wpkhScript, type ScriptType } from '../../../core/transaction/bitcoin-scripts.ts'
import { parseBitcoin } from '../../../core/transaction/bitcoin.ts'
import { compactSize } from '../../../core/transaction/compact-size.ts'
import { INPUT } from '../../../core/transaction/psbt-fields.ts'
import { writeMaps, type PsbtEntry, type PsbtMap } from '../../../core/transaction/psbt-maps.ts'
import type { ParsedTransaction, TransactionSigner } from '../../../core/transaction/transaction.ts'
import { bytes } from '../keys/keys.ts'

/*
 * PSBTs that tests make: byte by byte, so that each of them can be wrong in one place.
 */

export type Key = { readonly privateKey: Uint8Array; readonly publicKey: Uint8Array }

export const keyOf = (number: number): Key => {
  const privateKey = sha256(Uint8Array.of(number))
  return { privateKey, publicKey: bytes(publicKeyOf('CURVE_SECP256K1', privateKey)) }
}

export const [ada, grace] = [keyOf(1), keyOf(2)]

export const signerOf = ({ publicKey }: Key, scheme: SigningScheme = 'ecdsa', format?: string): TransactionSigner => ({
  curve: 'CURVE_SECP256K1',
  publicKey: encodeHex(publicKey),
  scheme,
  format,
})

export const schemeOfType = (type: ScriptType): SigningScheme => (type === 'P2TR' ? 'taproot' : 'ecdsa')

export const SCRIPT_TYPES = ['P2PKH', 'P2SH', 'P2WPKH', 'P2WSH', 'P2TR'] as const

export const isLegacy = (type: ScriptType): boolean => type === 'P2PKH' || type === 'P2SH'

/** One of two keys. */
export const multisig = (key: Key, other: Key = grace): Uint8Array =>
  concat([bytes('5121'), key.publicKey, bytes('21'), other.publicKey, bytes('52ae')])

export const p2sh = (redeem: Uint8Array): Uint8Array => concat([bytes('a914'), hash160(redeem), bytes('87')])
export const p2wsh = (witness: Uint8Array): Uint8Array => concat([bytes('0020'), sha256(witness)])

export const scriptOf = (type: ScriptType, key: Key): Uint8Array => {
  if (type === 'P2PKH') return p2pkhScript(hash160(key.publicKey))
  if (type === 'P2WPKH') return p2wpkhScript(hash160(key.publicKey))
  if (type === 'P2SH') return p2sh(multisig(key))
  if (type === 'P2WSH') return p2wsh(multisig(key))
  return concat([bytes('5120'), outputKeyOf(key.publicKey.subarray(1))])
}

type Spent = { readonly amount: bigint; readonly script: Uint8Array }
type OutPoint = { readonly txid: Uint8Array; readonly vout: number; readonly sequence: number }
export type TestInput = OutPoint & { readonly map: PsbtMap }

export const little = (length: number, value: bigint): Uint8Array =>
  Uint8Array.from({ length }, (_, i) => Number((value >> BigInt(8 * i)) & 255n))

const withLength = (part: Uint8Array): Uint8Array => concat([compactSize(part.length), part])

export const outputBytes = ({ amount, script }: Spent): Uint8Array => concat([little(8, amount), withLength(script)])

export const transactionBytes = (
  inputs: readonly OutPoint[],
  outputs: readonly Spent[],
  { version = 2n, lockTime = 0n }: { readonly version?: bigint; readonly lockTime?: bigint } = {},
): Uint8Array =>
  concat([
    little(4, version),
    compactSize(inputs.length),
    ...inputs.map(({ txid, vout, sequence }) =>
      concat([txid, little(4, BigInt(vout)), Uint8Array.of(0), little(4, BigInt(sequence))]),
    ),
    compactSize(outputs.length),
    ...outputs.map(outputBytes),
    little(4, lockTime),
  ])

export const FINAL = 0xffff_ffff

export const entry = (type: number, value: Uint8Array, keyData: Uint8Array = new Uint8Array()): PsbtEntry => ({
  key: concat([Uint8Array.of(type), keyData]),
  value,
})

/** An input that spends one output, which its previous transaction proves. */
export const legacyInput = (spent: Spent, seed: number, ...more: readonly PsbtEntry[]): TestInput => {
  const previous = transactionBytes([{ txid: seedHash(seed), vout: 0, sequence: FINAL }], [spent])
  const txid = sha256(sha256(previous))
  return { txid, vout: 0, sequence: FINAL, map: [entry(INPUT.nonWitnessUtxo, previous), ...more] }
}

/** An input that claims which output it spends. */
export const segwitInput = (spent: Spent, seed: number, ...more: readonly PsbtEntry[]): TestInput => ({
  txid: seedHash(seed),
  vout: 0,
  sequence: FINAL,
  map: [entry(INPUT.witnessUtxo, outputBytes(spent)), ...more],
})

const seedHash = (seed: number): Uint8Array => sha256(little(4, BigInt(seed)))

/** With all that its kind needs. */
export const inputOf = (type: ScriptType, key: Key, amount: bigint, seed = 0): TestInput => {
  const spent = { amount, script: scriptOf(type, key) }
  if (type === 'P2PKH') return legacyInput(spent, seed)
  if (type === 'P2SH') return legacyInput(spent, seed, entry(INPUT.redeemScript, multisig(key)))
  if (type === 'P2WPKH') return segwitInput(spent, seed)
  if (type === 'P2WSH') return segwitInput(spent, seed, entry(INPUT.witnessScript, multisig(key)))
  return segwitInput(spent, seed, entry(INPUT.tapInternalKey, key.publicKey.subarray(1)))
}

export const withField = (input: TestInput, ...more: readonly PsbtEntry[]): TestInput => ({
  ...input,
  map: [...input.map, ...more].sort((a, b) => (encodeHex(a.key) < encodeHex(b.key) ? -1 : 1)),
})

export const withoutField = (input: TestInput, type: number): TestInput => ({
  ...input,
  map: input.map.filter(({ key }) => key[0] !== type),
})

type PsbtParts = {
  readonly inputs: readonly TestInput[]
  readonly outputs?: readonly Spent[]
  readonly version?: bigint
  readonly lockTime?: bigint
  readonly global?: PsbtMap
  readonly outputMaps?: readonly PsbtMap[]
}

export const payment: Spent = { amount: 1_000n, script: scriptOf('P2WPKH', grace) }

export const psbtOf = ({ inputs, outputs = [payment], global = [], outputMaps, ...header }: PsbtParts): Uint8Array =>
  writeMaps([
    [entry(0x00, transactionBytes(inputs, outputs, header)), ...global],
    ...inputs.map(({ map }) => map),
    ...(outputMaps ?? outputs.map(() => [])),
  ])

/** @throws if it is refused */
export const read = async (psbt: Uint8Array): Promise<ParsedTransaction> => {
  const parsed = await parseBitcoin(psbt)
  if (E.isLeft(parsed)) throw new Error(parsed.left.message)
  return parsed.right
}

export const messagesOf = (parsed: ParsedTransaction, signer: TransactionSigner): readonly string[] => {
  const messages = parsed.messagesFor(signer)
  if (E.isLeft(messages)) throw new Error(JSON.stringify(messages.left))
  return messages.right
}

/** The PSBT with the signatures of a key, in hex. */
export const signed = async (psbt: Uint8Array, key: Key, scheme: SigningScheme = 'ecdsa'): Promise<string> => {
  const [parsed, signer] = [await read(psbt), signerOf(key, scheme)]
  const signatures = messagesOf(parsed, signer).map((message) =>
    sign(scheme, 'CURVE_SECP256K1', key.privateKey, bytes(message)),
  )
  return parsed.assemble(signer, signatures)
}

/** How a PSBT is refused: while it is read, or for this signer; `SIGNED` if it is not. */
export const outcomeOf = async (psbt: Uint8Array, signer: TransactionSigner): Promise<string> => {
  const parsed = await parseBitcoin(psbt)
  if (E.isLeft(parsed)) return `${parsed.left.code}: ${parsed.left.message}`
  const messages = parsed.right.messagesFor(signer)
  if (E.isRight(messages)) return 'SIGNED'
  const { left } = messages
  return typeof left === 'string' ? `SIGNER: expected ${left}` : `${left.code}: ${left.message}`
}

/** Each row by its name, of a PSBT, and how it ends for a signer: `ada`, if the row has none. */
export const check = async (
  rows: Readonly<Record<string, readonly [psbt: Uint8Array, outcome: string, signer?: TransactionSigner]>>,
): Promise<void> => {
  for (const [name, [bytesOfRow, outcome, signer = signerOf(ada)]] of Object.entries(rows))
    assert.is(await outcomeOf(bytesOfRow, signer), outcome, name)
}
