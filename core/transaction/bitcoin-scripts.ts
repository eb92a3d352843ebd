import { sha256 } from '@noble/hashes/sha2.js'
import { concat, equal, stands } from '../bytes.ts'
import { hashAddress, witnessAddress, type BitcoinNetwork } from '../keys/addresses/bitcoin.ts'
import { hash160 } from '../keys/addresses/checksums.ts'

/** The scripts that have an address here. */
export type ScriptType = 'P2PKH' | 'P2SH' | 'P2WPKH' | 'P2WSH' | 'P2TR'
/** What an output pays to: the hash of a key or script; for P2TR, the output key. */
export type Payee = { readonly type: ScriptType; readonly program: Uint8Array }

/** `undefined` for all other scripts. */
export const payeeOf = (script: Uint8Array): Payee | undefined => {
  for (const { type, before, length, behind } of TEMPLATES) {
    const end = before.length + length
    if (script.length !== end + behind.length || !stands(before, script) || !stands(behind, script, end)) continue
    return { type, program: script.subarray(before.length, end) }
  }
  return undefined
}

export const isScriptHash = (script: Uint8Array, { type, program }: Payee): boolean =>
  (type === 'P2SH' && equal(hash160(script), program)) || (type === 'P2WSH' && equal(sha256(script), program))

/** Whether it is an output of segwit, of any version (BIP-141). */
export const isWitnessProgram = (script: Uint8Array): boolean => {
  const [version = 0xff, length] = script
  return (
    (version === 0 || (version >= 0x51 && version <= 0x60)) &&
    script.length >= 4 &&
    script.length <= 42 &&
    length === script.length - 2
  )
}

export const p2pkhScript = (keyHash: Uint8Array): Uint8Array =>
  concat([Uint8Array.of(0x76, 0xa9, 0x14), keyHash, Uint8Array.of(0x88, 0xac)])

export const p2wpkhScript = (keyHash: Uint8Array): Uint8Array => concat([Uint8Array.of(0x00, 0x14), keyHash])

export const addressOfPayee = ({ p2pkh, p2sh, prefix }: BitcoinNetwork, { type, program }: Payee): string => {
  if (type === 'P2PKH') return hashAddress(p2pkh, program)
  if (type === 'P2SH') return hashAddress(p2sh, program)
  return witnessAddress(prefix, type === 'P2TR' ? 1 : 0, program)
}

type Operation = { readonly code: number; readonly pushed: Uint8Array | undefined }

/** The operations of a script; `undefined` if the last push is cut off: such a script cannot be satisfied. */
export const operationsOf = (script: Uint8Array): readonly Operation[] | undefined => {
  const operations: Operation[] = []
  let at = 0
  while (at < script.length) {
    const code = script[at] ?? 0
    at += 1
    if (code === 0 || code > PUSHDATA4) {
      operations.push({ code, pushed: undefined })
      continue
    }
    const width = code < PUSHDATA1 ? 0 : 1 << (code - PUSHDATA1) // 1, 2 or 4 bytes
    let length = width === 0 ? code : 0
    for (let i = width - 1; i >= 0; i -= 1) length = length * 256 + (script[at + i] ?? 0)
    at += width
    if (at + length > script.length) return undefined
    operations.push({ code, pushed: script.subarray(at, at + length) })
    at += length
  }
  return operations
}

export const CODESEPARATOR = 0xab

const PUSHDATA1 = 0x4c
const PUSHDATA4 = 0x4e

type Template = {
  readonly type: ScriptType
  readonly before: Uint8Array
  readonly length: number
  readonly behind: Uint8Array
}

const NOTHING = new Uint8Array()

const TEMPLATES: readonly Template[] = [
  { type: 'P2PKH', before: Uint8Array.of(0x76, 0xa9, 0x14), length: 20, behind: Uint8Array.of(0x88, 0xac) },
  { type: 'P2SH', before: Uint8Array.of(0xa9, 0x14), length: 20, behind: Uint8Array.of(0x87) },
  { type: 'P2WPKH', before: Uint8Array.of(0x00, 0x14), length: 20, behind: NOTHING },
  { type: 'P2WSH', before: Uint8Array.of(0x00, 0x20), length: 32, behind: NOTHING },
  { type: 'P2TR', before: Uint8Array.of(0x51, 0x20), length: 32, behind: NOTHING },
]
