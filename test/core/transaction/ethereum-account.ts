import { RLP, type RLPInput } from 'micro-eth-signer/core/rlp.js'
import { concat, encodeHex } from '../../../core/bytes.ts'
import { publicKeyOf } from '../../../core/keys/public-key.ts'
import { sign } from '../../../core/keys/signing.ts'
import type { Fact } from '../../../core/policy/fact.ts'
import { parseEthereum } from '../../../core/transaction/ethereum.ts'
import type {
  InterfaceOf,
  ParsedTransaction,
  ParseTransaction,
  TransactionSigner,
} from '../../../core/transaction/transaction.ts'
import { bytes } from '../keys/keys.ts'

/** The private key of a test: its address is `ADDRESS`. */
export const PRIVATE_KEY = '01'.repeat(32)
export const ADDRESS = '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1'

export const signerOf = (privateKey = PRIVATE_KEY): TransactionSigner => ({
  curve: 'CURVE_SECP256K1',
  publicKey: publicKeyOf('CURVE_SECP256K1', bytes(privateKey)),
  scheme: 'ecdsa',
  format: 'ADDRESS_FORMAT_ETHEREUM',
})

/** The bytes of a transaction: its type, if it has one, and the RLP of its members. */
export const transactionHex = (type: number | undefined, members: RLPInput): string =>
  encodeHex(concat([Uint8Array.from(type === undefined ? [] : [type]), RLP.encode(members)]))

/** Fails if it cannot be read. */
export const parsedBy = async (parse: ParseTransaction, hex: string): Promise<ParsedTransaction> => {
  const parsed = await parse(bytes(hex.replace(/^0x/, '')))
  if (parsed._tag === 'Left') throw new Error(`${parsed.left.code}: ${parsed.left.message}`)
  return parsed.right
}

/** The code for bytes that are not signed, or `read`. */
export const codeOf = async (parse: ParseTransaction, hex: string): Promise<string> => {
  const parsed = await parse(bytes(hex.replace(/^0x/, '')))
  return parsed._tag === 'Left' ? parsed.left.code : 'read'
}

/** Its one message. */
export const messageOf = (transaction: ParsedTransaction, signer = signerOf()): string => {
  const messages = transaction.messagesFor(signer)
  if (messages._tag === 'Left' || messages.right.length !== 1) throw new Error('expected one message')
  return messages.right[0] ?? ''
}

/** Signed as the engine signs. */
export const signedBy = async (parse: ParseTransaction, hex: string, privateKey = PRIVATE_KEY): Promise<string> => {
  const [parsed, signer] = [await parsedBy(parse, hex), signerOf(privateKey)]
  const signature = sign('ecdsa', signer.curve, bytes(privateKey), bytes(messageOf(parsed, signer)))
  return parsed.assemble(signer, [signature])
}

export type Facts = { readonly [name: string]: Fact }

export const factsOf = async (
  hex: string,
  interfaceOf: InterfaceOf = () => undefined,
  parse = parseEthereum,
): Promise<Facts> => (await parsedBy(parse, hex)).facts(signerOf(), interfaceOf) as Facts // an object, as `assertFits` shows
