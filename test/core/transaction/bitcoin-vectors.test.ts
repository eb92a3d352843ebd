import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TEST_NETWORK, WIF } from '@scure/btc-signer'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeBase64, encodeHex } from '../../../core/bytes.ts'
import { publicKeyOf } from '../../../core/keys/public-key.ts'
import { E } from '../../../core/prelude.ts'
import { parseBitcoin } from '../../../core/transaction/bitcoin.ts'
import { readMaps, writeMaps, type PsbtMap } from '../../../core/transaction/psbt-maps.ts'
import { vectorFile, vectorFolder } from '../../vectors.ts'
import { bytes } from '../keys/keys.ts'
import {
  COUNT,
  HASHES,
  MAPS,
  NEITHER,
  OTHERS,
  PROOF,
  READ,
  SHAPES,
  SIGNED,
  SPENDS,
  UNSIGNED,
  WRAPPED,
} from './psbt-outcomes.ts'
import { messagesOf, outcomeOf, read, signed, signerOf, type Key } from './psbts.ts'

const it = suite('vectors of bitcoin transactions')

const CORE = 'bitcoin-core-via-bitcoinjs'
const BIPS = 'bitcoin-bips'

const BOTH = `SIGNED, ${WRAPPED}`

const bytesOf = (base64: string): Uint8Array => decodeBase64(base64) ?? new Uint8Array()

/** The compressed keys that a PSBT names for signatures and derivations, of inputs and outputs. */
const keysIn = (psbt: Uint8Array): ReadonlySet<string> => {
  const keys = (readMaps(psbt) ?? []).flatMap((map) => map.map(({ key }) => key))
  return new Set(
    keys.filter((key) => (key[0] === 2 || key[0] === 6) && key.length === 34).map((key) => encodeHex(key.subarray(1))),
  )
}

/** How it ends for the keys that the PSBT names, or for all keys. What is signed gets signatures, which have to be its only change. */
const outcomesOf = async (psbt: Uint8Array): Promise<string> => {
  const parsed = await parseBitcoin(psbt)
  if (E.isLeft(parsed)) return `${parsed.left.code}: ${parsed.left.message}`
  const outcomes = new Set<string>()
  for (const publicKey of keysIn(psbt)) {
    const signer = { curve: 'CURVE_SECP256K1', publicKey, scheme: 'ecdsa', format: undefined } as const
    const outcome = await outcomeOf(psbt, signer)
    if (outcome !== OTHERS) outcomes.add(outcome)
    if (outcome !== SIGNED) continue
    const messages = messagesOf(parsed.right, signer)
    const signature = { r: '11'.repeat(32), s: '22'.repeat(32), v: '00' }
    const signatures = messages.map(() => signature)
    const whole = bytes(parsed.right.assemble(signer, signatures))
    assert.equal(messagesOf(await read(whole), signer), messages)
    assert.is(encodeHex(unsignedBy(publicKey, whole)), encodeHex(unsignedBy(publicKey, psbt)))
  }
  return [...outcomes].sort().join(', ') || READ
}

const unsignedBy = (publicKey: string, psbt: Uint8Array): Uint8Array =>
  writeMaps((readMaps(psbt) ?? []).map((map: PsbtMap) => map.filter(({ key }) => encodeHex(key) !== `02${publicKey}`)))

/** In the order of the document: the invalid ones, the valid ones, those that a signer has to refuse, and one example through all roles. */
const BIP_174: readonly string[] = [
  ...[MAPS, COUNT, UNSIGNED, UNSIGNED, MAPS, UNSIGNED, SHAPES, SHAPES, SHAPES, SHAPES, SHAPES, SHAPES, SHAPES, SHAPES],
  ...[SHAPES, COUNT, SHAPES, SHAPES, UNSIGNED, UNSIGNED],
  READ, // P2PKH, whose key is not named
  SPENDS, // a finalized input without the output that it spends: nobody knows the fee
  READ,
  READ, // a partial signature of a key that an output has, too
  WRAPPED,
  SIGNED, // P2WSH
  SPENDS, // unknown types, and nothing else
  SIGNED, // extended public keys
  NEITHER,
  NEITHER,
  PROOF,
  ...[HASHES, HASHES, HASHES],
  SPENDS, // created, not updated
  ...[BOTH, BOTH, BOTH, BOTH, BOTH], // updated twice, signed twice, combined: P2SH, and P2WSH inside P2SH
  READ, // finalized
  ...[SPENDS, SPENDS, SPENDS], // unknown types again
]

it('ends as expected for each PSBT of BIP-174', async () => {
  const folder = vectorFolder(BIPS)
  if (folder === undefined) return
  const text = readFileSync(join(folder, 'bip-0174.mediawiki'), 'utf8')
  const psbts = [...text.matchAll(/Base64 String: <pre>(.*)<\/pre>/g)].map(([, base64 = '']) => bytesOf(base64))
  const outcomes: string[] = []
  for (const psbt of psbts) outcomes.push(await outcomesOf(psbt))
  assert.equal(
    outcomes.map((outcome, i) => `${i} ${outcome}`),
    BIP_174.map((outcome, i) => `${i} ${outcome}`),
  )
})

type Psbts = readonly { readonly psbt: string; readonly type?: string }[]
type CoreVectors = {
  readonly bip174: {
    readonly invalid: Psbts
    readonly valid: Psbts
    readonly failSignChecks: Psbts
    readonly updater: Psbts
    readonly finalizer: Psbts
    readonly combiner: readonly { readonly psbts: readonly string[]; readonly result: string }[]
    readonly signer: readonly {
      readonly psbt: string
      readonly result: string
      readonly keys: readonly { readonly WIF: string }[]
    }[]
  }
  readonly finalizeAllInputs: Psbts
  readonly signInput: {
    readonly checks: readonly { readonly shouldThrow?: Psbts[0]; readonly shouldSign?: Psbts[0] }[]
  }
  readonly clone: Psbts[0]
  readonly getFeeRate: Psbts[0]
  readonly validateSignaturesOfInput: Psbts[0]
}

const all = async (psbts: Psbts): Promise<readonly string[]> => {
  const outcomes: string[] = []
  for (const { psbt } of psbts) outcomes.push(await outcomesOf(bytesOf(psbt)))
  return outcomes
}

it('ends as expected for each PSBT of Bitcoin Core', async () => {
  const vectors = vectorFile<CoreVectors>(CORE, 'psbt.json')
  if (vectors === undefined) return
  const { bip174, finalizeAllInputs, signInput, clone, getFeeRate, validateSignaturesOfInput } = vectors
  assert.equal(await all(bip174.invalid), [
    ...[MAPS, COUNT, UNSIGNED, UNSIGNED, MAPS, UNSIGNED, SHAPES, SHAPES, SHAPES, SHAPES, SHAPES, SHAPES, SHAPES],
    ...[SHAPES, SHAPES, COUNT, SHAPES, MAPS],
  ])
  // The last one has the unknown type 0x0f, which is that of a field of version 2 since BIP-370.
  assert.equal(await all(bip174.valid), [READ, SPENDS, READ, READ, WRAPPED, SHAPES])
  assert.equal(await all(bip174.failSignChecks), [PROOF, HASHES, HASHES, HASHES])
  assert.equal(await all(bip174.updater), [SPENDS, BOTH])
  assert.equal(await all(bip174.signer), [BOTH, BOTH])
  assert.equal(await all(bip174.finalizer), [BOTH])
  const combined = bip174.combiner.flatMap(({ psbts, result }) => [...psbts, result].map((psbt) => ({ psbt })))
  assert.equal(await all(combined), [BOTH, BOTH, BOTH, SHAPES, SHAPES, SHAPES])
  const finalized = await all(finalizeAllInputs)
  assert.equal(
    finalizeAllInputs.map(({ type }, i) => `${type}: ${finalized[i]}`),
    [
      `P2PK: ${READ}`,
      `P2PKH: ${SIGNED}`,
      `P2MS: ${SIGNED}`,
      `P2SH-P2WPKH: ${WRAPPED}`,
      `P2WPKH: ${SIGNED}`,
      `P2WSH-P2PK: ${SIGNED}`,
    ],
  )
  assert.equal(await all([clone, getFeeRate, validateSignaturesOfInput]), [SIGNED, BOTH, BOTH])
  const checked = signInput.checks.flatMap(({ shouldSign, shouldThrow }) =>
    [shouldSign ?? [], shouldThrow ?? []].flat(),
  )
  assert.equal(new Set(await all(checked)), new Set([NEITHER])) // none has an output
})

it('signs the legacy input of BIP-174 with the same signatures', async () => {
  for (const { psbt, result, keys } of vectorFile<CoreVectors>(CORE, 'psbt.json')?.bip174.signer ?? []) {
    const [first, second] = keys.map(({ WIF: text }): Key => {
      const privateKey = WIF(TEST_NETWORK).decode(text)
      return { privateKey, publicKey: bytes(publicKeyOf('CURVE_SECP256K1', privateKey)) }
    })
    if (first === undefined || second === undefined) throw new Error('expected two keys')
    const [whole, expected] = [readMaps(bytes(await signed(bytesOf(psbt), first))), readMaps(bytesOf(result))]
    assert.equal(whole?.[1]?.map(hexOf).sort(), expected?.[1]?.map(hexOf).sort())
    assert.is(await outcomeOf(bytesOf(psbt), signerOf(second)), WRAPPED)
  }
})

const hexOf = ({ key, value }: PsbtMap[0]): string => `${encodeHex(key)} ${encodeHex(value)}`

it.run()
