import { decodeHex, equal } from '../bytes.ts'
import type { Failure } from '../failure.ts'
import { hash160 } from '../keys/addresses/checksums.ts'
import { outputKeyOf } from '../keys/taproot.ts'
import { E } from '../prelude.ts'
import type { DigestType } from './bitcoin-digests.ts'
import { CODESEPARATOR, isScriptHash, operationsOf, p2pkhScript, p2wpkhScript, payeeOf } from './bitcoin-scripts.ts'
import type { BitcoinInput, Psbt } from './psbt.ts'
import { INPUT } from './psbt-fields.ts'
import { hasType, valueOf } from './psbt-maps.ts'
import { invalidTransaction, unsupportedTransaction, type TransactionSigner } from './transaction.ts'

/** An input that the signer signs. */
export type OwnInput = {
  readonly index: number
  readonly type: DigestType
  /** The script code; for taproot, nothing. */
  readonly script: Uint8Array
}

/**
 * The inputs that need a signature of the signer, in their order. Inputs that are finalized already, and those of other keys, are none.
 *
 * @returns what was expected of the signer if there are none; a failure if one of them is not signed here
 */
export const ownInputs = (
  signer: TransactionSigner,
  { inputs }: Psbt,
): E.Either<Failure | string, readonly OwnInput[]> => {
  const claim = claimOf(signer)
  const own: OwnInput[] = []
  for (const [index, input] of inputs.entries()) {
    if (hasType(input.map, INPUT.finalScriptSig) || hasType(input.map, INPUT.finalScriptWitness)) continue
    const claimed = claim(input)
    if (claimed === undefined) continue
    const signable = E.flatMap((one: Claimed) => refuse(input, one))(claimed)
    if (E.isLeft(signable)) return signable
    own.push({ index, ...signable.right })
  }
  return own.length === 0 ? E.left('a key that an input of the transaction needs') : E.right(own)
}

type Claimed = Pick<OwnInput, 'type' | 'script'>
/** `undefined` for an input of others. */
type Claim = (input: BitcoinInput) => E.Either<Failure, Claimed> | undefined

const claimOf = ({ curve, scheme, publicKey }: TransactionSigner): Claim => {
  const key = decodeHex(publicKey)
  if (curve !== 'CURVE_SECP256K1' || key === undefined) return () => undefined
  if (scheme === 'taproot') return taprootClaim(key.subarray(1))
  return scheme === 'ecdsa' ? ecdsaClaim(key, hash160(key)) : () => undefined
}

const ecdsaClaim =
  (key: Uint8Array, keyHash: Uint8Array): Claim =>
  ({ spent: { script }, map }) => {
    const payee = payeeOf(script)
    if (payee === undefined || payee.type === 'P2TR') return undefined
    const own = (type: DigestType, code: Uint8Array): E.Either<Failure, Claimed> => E.right({ type, script: code })
    const isOwnHash = equal(payee.program, keyHash)
    if (payee.type === 'P2PKH') return isOwnHash ? own('LEGACY', script) : undefined
    if (payee.type === 'P2WPKH') return isOwnHash ? own('SEGWIT_V0', p2pkhScript(keyHash)) : undefined
    const [redeem, witness] = [valueOf(map, INPUT.redeemScript), valueOf(map, INPUT.witnessScript)]
    if (payee.type === 'P2WSH') return hasPush(witness, key) ? own('SEGWIT_V0', witness) : undefined
    // Also without a redeem_script, the hash tells that the output is the key's.
    const isWrapped = isScriptHash(p2wpkhScript(keyHash), payee) || hasPush(witness, key)
    if (isWrapped) return unsupportedTransaction('inputs with segwit inside P2SH')
    return hasPush(redeem, key) ? own('LEGACY', redeem) : undefined
  }

const taprootClaim = (internal: Uint8Array): Claim => {
  const output = outputKeyOf(internal)
  return ({ spent: { script }, map }) => {
    const payee = payeeOf(script)
    if (payee?.type !== 'P2TR') return undefined
    const named = valueOf(map, INPUT.tapInternalKey)
    const isNamed = named !== undefined && equal(named, internal)
    if (!equal(payee.program, output)) return isNamed ? WITH_SCRIPTS : undefined
    if (named !== undefined && !isNamed) return invalidTransaction('a tap_internal_key that belongs to the output')
    return SCRIPT_FIELDS.some((type) => hasType(map, type))
      ? WITH_SCRIPTS
      : E.right({ type: 'TAPROOT', script: new Uint8Array() })
  }
}

const SCRIPT_FIELDS = [INPUT.tapScriptSignature, INPUT.tapLeafScript, INPUT.tapMerkleRoot] as const
const WITH_SCRIPTS = unsupportedTransaction('taproot inputs with scripts')

const hasPush = (script: Uint8Array | undefined, key: Uint8Array): script is Uint8Array =>
  script !== undefined &&
  operationsOf(script)?.some(({ pushed }) => pushed !== undefined && equal(pushed, key)) === true

/** Refuses an own input that is not signed here. */
const refuse = ({ map }: BitcoinInput, claimed: Claimed): E.Either<Failure, Claimed> => {
  const { type, script } = claimed
  const [isProved, isClaimed] = [hasType(map, INPUT.nonWitnessUtxo), hasType(map, INPUT.witnessUtxo)]
  if (type === 'LEGACY' && isClaimed)
    return invalidTransaction('a non_witness_utxo alone for each legacy input to sign')
  if (type !== 'LEGACY' && isProved) return invalidTransaction('a witness_utxo alone for each segwit input to sign')
  const sighashType = valueOf(map, INPUT.sighashType)
  if (sighashType !== undefined && !equal(sighashType, Uint8Array.of(type === 'TAPROOT' ? 0 : 1, 0, 0, 0)))
    return unsupportedTransaction('inputs with other sighash types than ALL, or DEFAULT for taproot,')
  // What is signed would depend on the part of the script that is executed.
  if (operationsOf(script)?.some(({ code }) => code === CODESEPARATOR) === true)
    return unsupportedTransaction('inputs whose script has an OP_CODESEPARATOR')
  return E.right(claimed)
}
