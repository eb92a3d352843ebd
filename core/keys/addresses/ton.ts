import { sha256 } from '@noble/hashes/sha2.js'
import { concat, decodeHex, encodeBase64Url } from '../../bytes.ts'
import { crc16 } from './checksums.ts'

/** A wallet contract: what the hash of its code cell is, how many levels of cells are below that, and how its first data are made. */
type Wallet = {
  readonly code: string
  readonly depth: number
  /** The bits before the key and behind it. */
  readonly data: readonly [before: string, behind: string]
}

/** The first 32 bits of the hash of the first block of TON's main network: the usual subwallet. */
const SUBWALLET = 698_983_191
/** The id of the main network. */
const NETWORK = -239

const bitsOf = (number: number): string => (number >>> 0).toString(2).padStart(32, '0')
const SEQNO = bitsOf(0)

const V3R2: Wallet = {
  code: '84dafa449f98a6987789ba232358072bc0f76dc4524002a5d0918b9a75d2d599',
  depth: 0,
  data: [SEQNO + bitsOf(SUBWALLET), ''],
}
const V4R2: Wallet = {
  code: 'feb5ff6820e2ff0d9483e7e0d62c817d846789fb4ae580c878866d959dabd5c0',
  depth: 7,
  data: [SEQNO + bitsOf(SUBWALLET), '0'], // no plugins
}
const V5R1: Wallet = {
  code: '20834b7b72b112147e1b2fb457b84e74d1a30f04f737d4f62a668e9552d2b72f',
  depth: 6,
  // Signatures are allowed; the wallet id is the network's with the context of a client: workchain 0, version 0, subwallet 0. No extensions.
  data: [`1${SEQNO}${bitsOf(NETWORK ^ 0x8000_0000)}`, '0'],
}

/** The address of a wallet contract in workchain 0, in base64url, for transfers that do not bounce, `UQ…`. */
const addressOf =
  ({ code, depth, data: [before, behind] }: Wallet) =>
  (key: Uint8Array): string => {
    const keyBits = Array.from(key, (byte) => byte.toString(2).padStart(8, '0')).join('')
    const data = cellHash(before + keyBits + behind, [])
    const stateInit = cellHash('00110', [
      { hash: decodeHex(code) ?? new Uint8Array(), depth },
      { hash: data, depth: 0 },
    ])
    const address = concat([Uint8Array.of(NOT_BOUNCEABLE, 0), stateInit])
    const crc = crc16(address)
    return encodeBase64Url(concat([address, Uint8Array.of(crc >> 8, crc & 0xff)]))
  }

const NOT_BOUNCEABLE = 0x51

export const tonAddresses = { V3R2: addressOf(V3R2), V4R2: addressOf(V4R2), V5R1: addressOf(V5R1) } as const

type Cell = { readonly hash: Uint8Array; readonly depth: number }

/** The representation hash of an ordinary cell, whose last byte is filled up with a one and zeros. */
const cellHash = (bits: string, references: readonly Cell[]): Uint8Array => {
  const isWhole = bits.length % 8 === 0
  const filled = isWhole ? bits : `${bits}1`.padEnd(Math.ceil((bits.length + 1) / 8) * 8, '0')
  const bytes = Uint8Array.from({ length: filled.length / 8 }, (_, i) =>
    Number.parseInt(filled.slice(8 * i, 8 * i + 8), 2),
  )
  const descriptor = Uint8Array.of(references.length, Math.floor(bits.length / 8) + bytes.length)
  const depths = references.map(({ depth }) => Uint8Array.of(depth >> 8, depth & 0xff))
  return sha256(concat([descriptor, bytes, ...depths, ...references.map(({ hash }) => hash)]))
}
