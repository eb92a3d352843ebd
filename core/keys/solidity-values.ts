import { concat, decodeHex } from '../bytes.ts'
import type { Json } from '../failure.ts'
import { withEip55 } from './addresses/ethereum.ts'

/**
 * An integer of JSON: a number that a double holds exactly, or a text in decimal or in hex with `0x`; `undefined` for all else. A number
 * beyond 2^53 is refused, because a parser may have changed it.
 */
export const integerOf = (json: Json | undefined): bigint | undefined => {
  if (typeof json === 'number') return Number.isSafeInteger(json) ? BigInt(json) : undefined
  return typeof json === 'string' && INTEGER.test(json) ? BigInt(json) : undefined
}

const INTEGER = /^(?:0|-?[1-9]\d{0,77}|0x[0-9a-fA-F]{1,64})$/

/** The 20 bytes of an address: `0x` and 40 digits, in lower case or with the checksum of EIP-55. */
export const addressBytesOf = (json: Json | undefined): Uint8Array | undefined => {
  if (typeof json !== 'string' || !ADDRESS.test(json)) return undefined
  const digits = json.slice(2).toLowerCase()
  return json === `0x${digits}` || json === withEip55(digits) ? decodeHex(digits) : undefined
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** The bytes of a text in hex with `0x`. */
export const hexBytesOf = (json: Json | undefined): Uint8Array | undefined =>
  typeof json === 'string' && json.startsWith('0x') ? decodeHex(json.slice(2)) : undefined

/**
 * A value as the word of 32 bytes that Solidity has for it; `undefined` if it is none of the type.
 *
 * @param type  `address`, `bool`, `uint8` to `uint256`, `int8` to `int256` or `bytes1` to `bytes32`
 */
export const wordOf = (type: string, json: Json | undefined): Uint8Array | undefined => {
  if (type === 'bool') return typeof json === 'boolean' ? wordOfInteger(json ? 1n : 0n) : undefined
  if (type === 'address') {
    const address = addressBytesOf(json)
    return address === undefined ? undefined : concat([new Uint8Array(12), address])
  }
  const [, kind, digits] = SIZED.exec(type) ?? []
  const size = Number(digits)
  if (kind === 'bytes') {
    const bytes = hexBytesOf(json)
    return bytes?.length === size ? concat([bytes, new Uint8Array(32 - size)]) : undefined
  }
  const integer = integerOf(json)
  if (integer === undefined || kind === undefined) return undefined
  const kept = kind === 'uint' ? BigInt.asUintN(size, integer) : BigInt.asIntN(size, integer)
  return kept === integer ? wordOfInteger(integer) : undefined
}

const SIZED = /^(u?int|bytes)(\d+)$/

/** Negative numbers as their two's complement. */
const wordOfInteger = (integer: bigint): Uint8Array | undefined =>
  decodeHex(BigInt.asUintN(256, integer).toString(16).padStart(64, '0'))
