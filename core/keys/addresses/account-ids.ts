import { base58xrp, bech32, bech32m } from '@scure/base'
import { concat } from '../../bytes.ts'
import { hash160, withChecksum } from './checksums.ts'

/** Of a compressed key of secp256k1, for chains of the Cosmos SDK. */
export const cosmosAddress =
  (prefix: string) =>
  (key: Uint8Array): string =>
    bech32.encode(prefix, bech32.toWords(hash160(key)))

/** The classic address of the XRP Ledger, `r…`, of a compressed key of secp256k1. */
export const xrpAddress = (key: Uint8Array): string =>
  base58xrp.encode(withChecksum(concat([Uint8Array.of(0), hash160(key)])))

/** A Spark address of an identity key: a protobuf message with the compressed key as field 1, and nothing else. */
export const sparkAddress =
  (prefix: string) =>
  (key: Uint8Array): string =>
    bech32m.encode(prefix, bech32m.toWords(concat([FIELD_1_OF_33_BYTES, key])))

const FIELD_1_OF_33_BYTES = Uint8Array.of(0x0a, 0x21)
