import { sha256 } from '@noble/hashes/sha2.js'
import { decodeHex, encodeHex, equal } from '../bytes.ts'
import type { Failure } from '../failure.ts'
import type { Fact } from '../policy/fact.ts'
import { E, pipe } from '../prelude.ts'
import { bytes as raw, hex, int32, int64, text } from './protobuf-scalars.ts'
import { list, message, one } from './protobuf.ts'
import {
  ecdsaMessage,
  invalidTransaction,
  unsupportedTransaction,
  type ParsedTransaction,
  type ParseTransaction,
} from './transaction.ts'
import { contractTypes } from './tron-contracts.ts'

/**
 * Reads the `raw_data` of a transaction of TRON, with one contract of a type in `contractTypes`. Fields that policies do not see are refused:
 * `auths`, `scripts`, `ref_block_num`, and a contract's `provider` and `ContractName`. The memo, `data`, is hex like all other bytes: if it were
 * text where it can be, two memos could read alike.
 *
 * The account of `owner_address` is not always the signer's: it can give its permissions to other keys.
 */
export const parseTron: ParseTransaction = async (bytes) =>
  pipe(
    factsOf(bytes),
    E.map((facts) => parsed(bytes, facts)),
  )

const rawData = message({
  ref_block_bytes: one(1, hex),
  ref_block_hash: one(4, hex),
  expiration: one(8, int64),
  data: one(10, hex),
  contract: list(
    11,
    1,
    message({
      type: one(1, int32),
      parameter: one(2, message({ type_url: one(1, text), value: one(2, raw) })),
      permission_id: one(5, int32),
    }),
  ),
  timestamp: one(14, int64),
  fee_limit: one(18, int64),
})

const transaction = message({ raw_data: one(1, raw), signature: one(2, raw) })

const factsOf = (bytes: Uint8Array): E.Either<Failure, Fact> => {
  const read = rawData.read(bytes)
  const [contract] = read?.contract ?? []
  if (read === undefined || contract === undefined)
    return invalidTransaction(
      'the raw_data of a transaction of TRON, with one contract and no fields that policies cannot see',
    )
  const { type, parameter, permission_id } = contract
  const contractType = contractTypes.get(type)
  if (contractType === undefined) return unsupportedTransaction(`contracts of TRON other than ${SIGNED}`)
  const { name } = contractType
  if (parameter.type_url !== `type.googleapis.com/protocol.${name}`)
    return invalidTransaction('a contract of TRON whose parameter has the type of the contract')
  const body = contractType.read(parameter.value)
  if (body === undefined) return invalidTransaction(`valid members of ${name}, and none that policies cannot see`)
  if (read.ref_block_bytes.length !== 4 || read.ref_block_hash.length !== 16)
    return invalidTransaction('a transaction of TRON with 2 bytes of ref_block_bytes and 8 of ref_block_hash')
  const rewritten = { ...contract, parameter: { ...parameter, value: body.written } }
  if (!equal(rawData.write({ ...read, contract: [rewritten] }), bytes))
    return invalidTransaction('protocol buffers in the one form that TRON writes')
  return E.right({ ...read, contract: [{ type: name, permission_id, ...body.facts }] })
}

const SIGNED = [...contractTypes.values()].map(({ name }) => name).join(', ')

const parsed = (bytes: Uint8Array, facts: Fact): ParsedTransaction => ({
  messagesFor: ecdsaMessage(encodeHex(sha256(bytes))),
  facts: () => facts,
  assemble: (_signer, [signature]) => {
    if (signature === undefined) throw new Error('expected the signature of the message')
    const { r, s, v } = signature
    const written = decodeHex(r + s + (v === '01' ? '1c' : '1b')) // as TRON's wallets write the recovery id: from 27 on
    if (written === undefined) throw new Error('expected a signature in hex')
    return encodeHex(transaction.write({ raw_data: bytes, signature: written }))
  },
})
