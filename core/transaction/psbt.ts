import type * as script from '@scure/btc-signer/script.js'
import { encodeHex, equal } from '../bytes.ts'
import type { Failure } from '../failure.ts'
import { doubleSha256 } from '../keys/addresses/checksums.ts'
import { E } from '../prelude.ts'
import { isScriptHash, isWitnessProgram, operationsOf, payeeOf } from './bitcoin-scripts.ts'
import { GLOBAL, hasShapes, INPUT } from './psbt-fields.ts'
import { hasType, readMaps, valueOf, writeMaps, type PsbtMap } from './psbt-maps.ts'
import { invalidTransaction, unsupportedTransaction } from './transaction.ts'

export type BitcoinOutput = { readonly amount: bigint; readonly script: Uint8Array }

export type BitcoinInput = {
  /** As it is displayed. */
  readonly txId: string
  readonly vout: number
  readonly sequence: number
  /** The output that it spends: of the previous transaction, which proves it, or else the one that the PSBT claims. */
  readonly spent: BitcoinOutput
  readonly map: PsbtMap
}

/** A PSBT of version 0 whose parts agree with each other. */
export type Psbt = {
  readonly maps: readonly PsbtMap[]
  /** The unsigned transaction. */
  readonly bytes: Uint8Array
  readonly version: number
  readonly lockTime: number
  readonly inputs: readonly BitcoinInput[]
  readonly outputs: readonly BitcoinOutput[]
  readonly fee: bigint
}

/** What reads and writes transactions. */
export type BitcoinLibrary = Pick<typeof script, 'RawOldTx' | 'RawOutput' | 'RawTx'>

/** Reads a PSBT, and refuses one that contradicts itself in any of its inputs, whoever signs them. */
export const readPsbt = (library: BitcoinLibrary, bytes: Uint8Array): E.Either<Failure, Psbt> => {
  const maps = readMaps(bytes)
  if (maps === undefined || !equal(writeMaps(maps), bytes))
    return invalidTransaction('a PSBT, with each key once in a map')
  const [global = [], ...others] = maps
  const version = valueOf(global, GLOBAL.version)
  if (version?.length === 4 && version.some((byte) => byte !== 0))
    return unsupportedTransaction('PSBTs of other versions than 0')
  const unsigned = valueOf(global, GLOBAL.unsignedTransaction) ?? new Uint8Array()
  const transaction = decodeExactly(library.RawOldTx, unsigned)
  if (transaction === undefined || transaction.inputs.some(isSigned))
    return invalidTransaction('a PSBT with an unsigned transaction')
  const { inputs, outputs, lockTime } = transaction
  if (inputs.length === 0 || outputs.length === 0) return invalidTransaction('a transaction with inputs and outputs')
  if (others.length !== inputs.length + outputs.length) return invalidTransaction('a map for each input and output')
  const isWellFormed =
    hasShapes(global, 'global') && others.every((map, i) => hasShapes(map, i < inputs.length ? 'input' : 'output'))
  if (!isWellFormed) return invalidTransaction('keys and values as BIP-174 and BIP-371 define them')
  const read = readInputs(library, inputs, others)
  if (E.isLeft(read)) return read
  const fee = feeOf(read.right, outputs)
  if (fee === undefined)
    return invalidTransaction('amounts of at most 21 million bitcoins, of which the inputs pay the outputs')
  return E.right({
    maps,
    bytes: unsigned,
    version: transaction.version >>> 0, // the library reads it with a sign
    lockTime,
    inputs: read.right,
    outputs,
    fee,
  })
}

const isSigned = ({ finalScriptSig }: { readonly finalScriptSig: Uint8Array }): boolean => finalScriptSig.length > 0

const AMOUNT_MAX = 21_000_000n * 100_000_000n

type OutPoint = { readonly txid: Uint8Array; readonly index: number; readonly sequence: number }

const readInputs = (
  library: BitcoinLibrary,
  inputs: readonly OutPoint[],
  maps: readonly PsbtMap[],
): E.Either<Failure, readonly BitcoinInput[]> => {
  const read: BitcoinInput[] = []
  const seen = new Set<string>()
  for (const [i, { txid, index: vout, sequence }] of inputs.entries()) {
    const [map = [], txId] = [maps[i], encodeHex(txid)]
    const spent = spentOutput(library, map, txId, vout)
    if (E.isLeft(spent)) return spent
    if (!hasScripts(map, spent.right.script))
      return invalidTransaction('scripts whose hashes the outputs that are spent have')
    if (!hasType(map, INPUT.nonWitnessUtxo) && !isSegwit(map, spent.right.script))
      return invalidTransaction('a non_witness_utxo for each legacy input')
    if (seen.has(`${txId}:${vout}`)) return invalidTransaction('inputs that spend different outputs')
    seen.add(`${txId}:${vout}`)
    read.push({ txId, vout, sequence, spent: spent.right, map })
  }
  return E.right(read)
}

const spentOutput = (
  library: BitcoinLibrary,
  map: PsbtMap,
  txId: string,
  vout: number,
): E.Either<Failure, BitcoinOutput> => {
  const [previous, claimed] = [valueOf(map, INPUT.nonWitnessUtxo), valueOf(map, INPUT.witnessUtxo)]
  const claim: BitcoinOutput | undefined = claimed && decodeExactly(library.RawOutput, claimed)
  if (claimed !== undefined && claim === undefined) return invalidTransaction('outputs as witness_utxo')
  if (previous === undefined)
    return claim === undefined ? invalidTransaction('the output that each input spends') : E.right(claim)
  const transaction = decodeExactly(library.RawTx, previous)
  const output: BitcoinOutput | undefined = transaction?.outputs[vout]
  if (transaction === undefined || output === undefined || idOf(library, transaction) !== txId)
    return invalidTransaction('the transaction that an input spends from as its non_witness_utxo')
  const agrees = claim === undefined || (claim.amount === output.amount && equal(claim.script, output.script))
  return agrees ? E.right(output) : invalidTransaction('a witness_utxo that is an output of the non_witness_utxo')
}

/** The id leaves out the witnesses, and commits to all outputs. */
const idOf = ({ RawOldTx }: BitcoinLibrary, transaction: Parameters<BitcoinLibrary['RawOldTx']['encode']>[0]): string =>
  encodeHex(doubleSha256(RawOldTx.encode(transaction)).reverse())

/**
 * Whether a signature of the input commits to the amount that it spends. Of all others, an amount that is only claimed could be a lie in a
 * transaction that is valid, and so could the fee.
 */
const isSegwit = (map: PsbtMap, script: Uint8Array): boolean => {
  if (isWitnessProgram(script)) return true
  const payee = payeeOf(script)
  const inside = valueOf(map, INPUT.redeemScript) ?? onlyPush(valueOf(map, INPUT.finalScriptSig))
  return inside !== undefined && isWitnessProgram(inside) && payee !== undefined && isScriptHash(inside, payee)
}

/** What the final script of segwit inside P2SH pushes: the redeem script, and nothing else. */
const onlyPush = (script: Uint8Array | undefined): Uint8Array | undefined => {
  const operations = script && operationsOf(script)
  return operations?.length === 1 ? operations[0]?.pushed : undefined
}

/** Whether scripts that the PSBT has for an input are those that the output needs. */
const hasScripts = (map: PsbtMap, script: Uint8Array): boolean => {
  const [redeem, witness] = [valueOf(map, INPUT.redeemScript), valueOf(map, INPUT.witnessScript)]
  const payee = payeeOf(script)
  if (redeem !== undefined && (payee?.type !== 'P2SH' || !isScriptHash(redeem, payee))) return false
  if (witness === undefined) return true
  const program = redeem === undefined ? payee : payeeOf(redeem)
  return program?.type === 'P2WSH' && isScriptHash(witness, program)
}

/** `undefined` for amounts that no transaction can have. */
const feeOf = (inputs: readonly BitcoinInput[], outputs: readonly BitcoinOutput[]): bigint | undefined => {
  const paid = sumOf(inputs.map(({ spent }) => spent))
  const received = sumOf(outputs)
  // No amount is negative, so the sum bounds each of them.
  return paid > AMOUNT_MAX || received > paid ? undefined : paid - received
}

const sumOf = (outputs: readonly BitcoinOutput[]): bigint => outputs.reduce((sum, { amount }) => sum + amount, 0n)

/** The value, if it is written to the same bytes again. The library throws on all that it cannot read. */
const decodeExactly = <A>(
  coder: { readonly decode: (bytes: Uint8Array) => A; readonly encode: (value: A) => Uint8Array },
  bytes: Uint8Array,
): A | undefined => {
  try {
    const value = coder.decode(bytes)
    return equal(coder.encode(value), bytes) ? value : undefined
  } catch {
    return undefined
  }
}
