import { keccak_256 } from '@noble/hashes/sha3.js'
import { concat, decodeHex } from '../bytes.ts'
import type { Json } from '../failure.ts'
import { E, pipe } from '../prelude.ts'
import { addressBytesOf, integerOf } from './solidity-values.ts'
import { isObject, memberOf } from './typed-data-types.ts'

/** That code of an address may be set for the account which signs this (EIP-7702). */
export type Authorization = { readonly address: Uint8Array; readonly chainId: bigint; readonly nonce: bigint }

/**
 * Reads an authorization of EIP-7702.
 *
 * @param json  `{address, chainId, nonce}`: integers are numbers or texts in decimal or hex; the chain id 0 stands for every chain
 * @returns the authorization; or what was expected, and at which member
 */
export const readAuthorization = (json: Json): E.Either<string, Authorization> => {
  if (!isObject(json) || Object.keys(json).length !== 3) return E.left('an object of address, chainId and nonce')
  const address = addressBytesOf(memberOf(json, 'address'))
  if (address === undefined) return E.left('0x and 40 hex digits, with a right checksum or in lower case, at address')
  const [chainId, nonce] = [integerOf(memberOf(json, 'chainId')), integerOf(memberOf(json, 'nonce'))]
  if (chainId === undefined || BigInt.asUintN(256, chainId) !== chainId)
    return E.left('an integer of 256 bits at chainId')
  if (nonce === undefined || BigInt.asUintN(64, nonce) !== nonce) return E.left('an integer of 64 bits at nonce')
  return E.right({ address, chainId, nonce })
}

/**
 * The digest of an authorization of EIP-7702: 32 bytes.
 *
 * @param json  as for `readAuthorization`
 * @returns the digest; or what was expected, and at which member
 */
export const authorizationDigest = (json: Json): E.Either<string, Uint8Array> =>
  pipe(
    readAuthorization(json),
    E.map(({ address, chainId, nonce }) => {
      const items = concat([rlpOf(bytesOf(chainId)), rlpOf(address), rlpOf(bytesOf(nonce))])
      return keccak_256(concat([MAGIC, header(0xc0, items.length), items]))
    }),
  )

const MAGIC = Uint8Array.of(0x05)

/** Without zeros before the number: 0 is no bytes. */
const bytesOf = (integer: bigint): Uint8Array => {
  const hex = integer === 0n ? '' : integer.toString(16)
  return decodeHex(hex.length % 2 === 0 ? hex : `0${hex}`) ?? new Uint8Array()
}

/** Bytes as an item of RLP. */
const rlpOf = (bytes: Uint8Array): Uint8Array => {
  const isItself = bytes.length === 1 && (bytes[0] ?? 0) < 0x80
  return isItself ? bytes : concat([header(0x80, bytes.length), bytes])
}

/** Of at most 255 bytes: longer ones do not come here. */
const header = (offset: number, length: number): Uint8Array =>
  length < 56 ? Uint8Array.of(offset + length) : Uint8Array.of(offset + 56, length)
