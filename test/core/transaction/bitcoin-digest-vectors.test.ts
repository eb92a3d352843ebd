import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as library from '@scure/btc-signer/script.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { concat, encodeHex } from '../../../core/bytes.ts'
import { publicKeyOf } from '../../../core/keys/public-key.ts'
import { E } from '../../../core/prelude.ts'
import { digestsOf, legacyDigest } from '../../../core/transaction/bitcoin-digests.ts'
import { CODESEPARATOR, operationsOf } from '../../../core/transaction/bitcoin-scripts.ts'
import { INPUT } from '../../../core/transaction/psbt-fields.ts'
import { writeMaps, type PsbtMap } from '../../../core/transaction/psbt-maps.ts'
import { readPsbt } from '../../../core/transaction/psbt.ts'
import { vectorFile, vectorFolder } from '../../vectors.ts'
import { bytes } from '../keys/keys.ts'
import { OTHERS, SCRIPTS, SEPARATOR, SIGHASH, SIGNED, WRAPPED } from './psbt-outcomes.ts'
import {
  ada,
  entry,
  inputOf,
  little,
  messagesOf,
  outcomeOf,
  outputBytes,
  psbtOf,
  read,
  signed,
  signerOf,
} from './psbts.ts'

const it = suite('vectors of what bitcoin transactions sign')

const CORE = 'bitcoin-core-via-bitcoinjs'
const BIPS = 'bitcoin-bips'

/**
 * A PSBT of an unsigned transaction, with the outputs that it spends and more fields of its inputs. The vectors lack the previous transactions
 * of legacy inputs, so these are claimed to spend an output of segwit: no other input of segwit v0 commits to that.
 */
const psbtWith = (
  unsigned: string,
  spent: readonly { readonly amount: bigint; readonly script: string }[],
  fields: readonly PsbtMap[] = [],
): Uint8Array =>
  writeMaps([
    [entry(0, bytes(unsigned))],
    ...spent.map(({ amount, script }, i) => [
      entry(
        INPUT.witnessUtxo,
        outputBytes({ amount, script: bytes(/^(00|51|a9)/.test(script) ? script : `0020${'00'.repeat(32)}`) }),
      ),
      ...(fields[i] ?? []),
    ]),
    ...library.RawOldTx.decode(bytes(unsigned)).outputs.map(() => []),
  ])

it('signs the example of BIP-143 that is signed here, and refuses the others', async () => {
  const folder = vectorFolder(BIPS)
  if (folder === undefined) return
  const sections = readFileSync(join(folder, 'bip-0143.mediawiki'), 'utf8').split(
    /(?=^=== |^This example shows how un)/m,
  )
  const outcomes = new Map<string, string>()
  for (const section of sections) {
    const unsigned = /unsigned transaction:\s+([0-9a-f]+)/.exec(section)?.[1]
    if (unsigned === undefined) continue
    const spent = [...section.matchAll(/scriptPubKey *: *([0-9a-f]+),? +value: ([0-9.]+)/g)].map(
      ([, script = '', value = '']) => ({ script, amount: BigInt(Math.round(Number(value) * 1e8)) }),
    )
    const redeem = /redeemScript *: ([0-9a-f]+)/.exec(section)?.[1]
    const witnesses = [...section.matchAll(/(?:witnessScript *: *|^ +(?=ad48))([0-9a-f]+)/gm)].map(
      ([, script = '']) => script,
    )
    const before = spent.length - Math.max(witnesses.length, 1)
    const fields = spent.map((_, i) => [
      ...(redeem === undefined ? [] : [entry(INPUT.redeemScript, bytes(redeem))]),
      ...(i < before || witnesses.length === 0 ? [] : [entry(INPUT.witnessScript, bytes(witnesses[i - before] ?? ''))]),
    ])
    const psbt = psbtWith(unsigned, spent, fields)
    const keys = [...section.matchAll(/private key *: +([0-9a-f]{64})/g)].map(([, key = '']) => bytes(key))
    const privateKey = keys.at(-1) ?? ada.privateKey
    const key = { privateKey, publicKey: bytes(publicKeyOf('CURVE_SECP256K1', privateKey)) }
    const name = section.slice(0, 40).trim()
    outcomes.set(name.split('\n')[0] ?? '', await outcomeOf(psbt, signerOf(key)))
    const [digest, signature] = [/sigHash: +([0-9a-f]+)/, /signature: +([0-9a-f]+)/].map(
      (one) => one.exec(section)?.[1],
    )
    if (name.startsWith('=== Native P2WPKH')) {
      assert.equal(messagesOf(await read(psbt), signerOf(key)), [digest])
      assert.ok((await signed(psbt, key)).includes(signature ?? 'none'))
    }
    // The key is not in this script: only the digest can be compared.
    if (name.startsWith('=== No FindAndDelete')) {
      const parsed = readPsbt(library, psbt)
      if (E.isLeft(parsed)) throw new Error(parsed.left.message)
      assert.is(encodeHex(digestsOf(parsed.right)('SEGWIT_V0', 0, bytes(witnesses[0] ?? ''))), digest)
    }
  }
  assert.equal(
    [...outcomes],
    [
      ['=== Native P2WPKH ===', SIGNED],
      ['=== P2SH-P2WPKH ===', WRAPPED],
      ['=== Native P2WSH ===', SEPARATOR],
      ['This example shows how unexecuted <code>', SEPARATOR],
      ['=== P2SH-P2WSH ===', WRAPPED],
      ['=== No FindAndDelete ===', OTHERS],
    ],
  )
})

type Bip341 = {
  readonly keyPathSpending: readonly {
    readonly given: {
      readonly rawUnsignedTx: string
      readonly utxosSpent: readonly { readonly scriptPubKey: string; readonly amountSats: number }[]
    }
    readonly inputSpending: readonly {
      readonly given: {
        readonly txinIndex: number
        readonly internalPrivkey: string
        readonly merkleRoot: string | null
        readonly hashType: number
      }
      readonly intermediary: { readonly internalPubkey: string; readonly sigHash: string }
    }[]
  }[]
}

it('computes the digest of BIP-341 for DEFAULT, and refuses its scripts and other sighash types', async () => {
  const outcomes: string[] = []
  for (const { given, inputSpending } of vectorFile<Bip341>(BIPS, 'wallet-test-vectors.json')?.keyPathSpending ?? []) {
    const spent = given.utxosSpent.map(({ scriptPubKey, amountSats }) => ({
      script: scriptPubKey,
      amount: BigInt(amountSats),
    }))
    for (const { given: input, intermediary } of inputSpending) {
      const fields = spent.map((_, i) =>
        i === input.txinIndex
          ? [
              entry(INPUT.sighashType, little(4, BigInt(input.hashType))),
              entry(INPUT.tapInternalKey, bytes(intermediary.internalPubkey)),
            ]
          : [],
      )
      const psbt = psbtWith(given.rawUnsignedTx, spent, fields)
      const privateKey = bytes(input.internalPrivkey)
      const key = { privateKey, publicKey: bytes(publicKeyOf('CURVE_SECP256K1', privateKey)) }
      outcomes.push(`${input.hashType} ${await outcomeOf(psbt, signerOf(key, 'taproot'))}`)
      const parsed = readPsbt(library, psbt)
      if (E.isLeft(parsed)) throw new Error(parsed.left.message)
      const inputs = parsed.right.inputs.map((one, i) => ({
        ...one,
        spent: { ...one.spent, script: bytes(spent[i]?.script ?? '') }, // also of the legacy input
      }))
      const digest = encodeHex(digestsOf({ ...parsed.right, inputs })('TAPROOT', input.txinIndex, new Uint8Array()))
      if (input.hashType === 0) assert.is(digest, intermediary.sigHash)
    }
  }
  // The first has no tree. No vector has neither a tree nor another sighash type.
  const expected = [`3 ${SIGHASH}`, ...[131, 1, 0, 2, 130, 129].map((type) => `${type} ${SCRIPTS}`)]
  assert.equal(outcomes, vectorFolder(BIPS) === undefined ? [] : expected)
})

type Row = readonly [transaction: string, script: string, index: number, sighashType: number, digest: string]

it('computes the legacy digests of Bitcoin Core, of all sighash types that sign the whole transaction', () => {
  const rows = vectorFile<readonly (Row | readonly [string])[]>(CORE, 'sighash.json') ?? []
  let compared = 0
  for (const row of rows) {
    if (row.length === 1) continue
    const [transaction, script, index, sighashType, digest] = row
    const operations = operationsOf(bytes(script))
    const isPart = (sighashType & 0x80) !== 0 || [2, 3].includes(sighashType & 0x1f)
    if (isPart || operations === undefined || operations.some(({ code }) => code === CODESEPARATOR)) continue
    const decoded = library.RawOldTx.decode(bytes(transaction))
    const unsigned = decoded.inputs.map((input) => ({ ...input, finalScriptSig: new Uint8Array() }))
    const psbt = {
      bytes: library.RawOldTx.encode({ ...decoded, inputs: unsigned }),
      inputs: unsigned,
    }
    const type = little(4, BigInt(sighashType >>> 0))
    assert.is(encodeHex(legacyDigest(psbt, index, bytes(script), type).toReversed()), digest)
    compared += 1
  }
  assert.ok(rows.length === 0 || compared > 100)
})

type P2tr = {
  readonly valid: readonly { readonly expected: { readonly address?: string; readonly output?: string } }[]
}

it('shows the addresses of the outputs in the vectors of taproot', async () => {
  for (const { expected } of vectorFile<P2tr>(CORE, 'p2tr.json')?.valid ?? []) {
    const key = /^OP_1 ([0-9a-f]{64})$/.exec(expected.output ?? '')?.[1]
    if (key === undefined || expected.address === undefined) continue
    const outputs = [{ amount: 10n, script: concat([bytes('5120'), bytes(key)]) }]
    const facts = (await read(psbtOf({ inputs: [inputOf('P2PKH', ada, 10n)], outputs }))).facts(
      signerOf(ada),
      () => undefined,
    )
    assert.ok(typeof facts === 'object' && 'outputs' in facts)
    assert.equal(facts.outputs, [
      { value: 10n, script_pubkey: `5120${key}`, address: expected.address, address_type: 'P2TR' },
    ])
  }
})

it.run()
