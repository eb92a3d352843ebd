import { secp256k1 } from '@noble/curves/secp256k1.js'
import { RLP, type RLPInput } from 'micro-eth-signer/core/rlp.js'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeHex } from '../../../core/bytes.ts'
import { ethereumAddress } from '../../../core/keys/addresses/ethereum.ts'
import { parseEthereum } from '../../../core/transaction/ethereum.ts'
import { long } from '../../long.ts'
import { vectorFile, vectorFolder } from '../../vectors.ts'
import { bytes } from '../keys/keys.ts'
import { codeOf, messageOf, parsedBy, signedBy, signerOf } from './ethereum-account.ts'

const it = suite('vectors of Ethereum transactions')

type Form = 'Legacy' | 'Eip155' | 'Berlin' | 'London' | 'Cancun'
type Vector = { readonly name: string; readonly privateKey: string } & {
  readonly [member in `${'unsigned' | 'signed'}${Form}`]: string
}

const forms: readonly Form[] = ['Legacy', 'Eip155', 'Berlin', 'London', 'Cancun']

/** Signs one form of each vector, or of every so many. */
const signVectors = async (step: number): Promise<void> => {
  const folder = vectorFolder('ethers-testcases')
  if (folder === undefined) return
  const text = gunzipSync(readFileSync(join(folder, 'transactions.json.gz'))).toString()
  const vectors = JSON.parse(text) as readonly Vector[]
  assert.is(vectors.length, 3200)
  for (let i = 0; i < vectors.length; i += step) {
    const [vector, form] = [vectors[i], forms[(i / step) % forms.length]]
    if (vector === undefined || form === undefined) continue
    const [unsigned, signed] = [vector[`unsigned${form}`], vector[`signed${form}`]]
    if (unsigned.length <= 2) continue // some have no such form, because they have no chain id
    assert.is(`0x${await signedBy(parseEthereum, unsigned, vector.privateKey.slice(2))}`, signed, vector.name)
    const [before, after] = [await parsedBy(parseEthereum, unsigned), await parsedBy(parseEthereum, signed)]
    assert.is(messageOf(after), messageOf(before))
  }
}

it('signs transactions of ethers to the same bytes', () => signVectors(32))
long(it)('signs all transactions of ethers to the same bytes', () => signVectors(1))

type Eip155 = { readonly rlp: string; readonly sender: string }

it('has the messages whose signatures EIP-155 shows', async () => {
  for (const { rlp, sender } of vectorFile<readonly Eip155[]>('ethereum-tests', 'eip155.json') ?? [])
    await assertSigned(rlp, `0x${sender}`)
})

type Member = Readonly<Record<string, { readonly txbytes: string; readonly result: Readonly<Record<string, Result>> }>>
type Result = { readonly sender?: string; readonly exception?: string }

it('reads the valid transactions of ethereum-tests', async () => {
  for (const [path, txbytes, { sender }] of transactionTests())
    if (sender !== undefined) await assertSigned(txbytes, sender, path)
})

/** A fault of the signature, which is dropped; another chain than the tests have; what depends on the rules of a time, or on a balance. */
const OTHER_FAULTS: readonly (string | undefined)[] = [
  'InvalidVRS',
  'ECRecoveryFail',
  'InvalidChainID',
  'TR_IntrinsicGas',
  'GasLimitPriceProductOverflow',
]

it('refuses those whose members or encoding are wrong', async () => {
  for (const [path, txbytes, { sender, exception }] of transactionTests()) {
    if (sender !== undefined || OTHER_FAULTS.includes(exception)) continue
    assert.is.not(await codeOf(parseEthereum, txbytes), 'read', path)
  }
})

function* transactionTests(): Generator<readonly [path: string, txbytes: string, Result]> {
  const folder = vectorFolder('ethereum-tests')
  if (folder === undefined) return
  const root = join(folder, 'TransactionTests')
  for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (!path.endsWith('.json')) continue
    const tests = JSON.parse(readFileSync(join(root, path), 'utf8')) as Member
    for (const { txbytes, result } of Object.values(tests)) {
      const { London } = result
      if (London !== undefined) yield [path, txbytes, London]
    }
  }
}

/** The signature that it has is its sender's for the message, and with it the transaction has the same bytes again. */
const assertSigned = async (hex: string, sender: string, name = hex): Promise<void> => {
  const transaction = await parsedBy(parseEthereum, hex)
  const list = RLP.decode(bytes(hex.slice(2)).subarray(hex.startsWith('0x0') ? 1 : 0))
  const [r = '', s = ''] = Array.isArray(list) ? list.slice(-2).map(wordOf) : []
  const v = ['00', '01'].find((v) => `0x${transaction.assemble(signerOf(), [{ r, s, v }])}` === hex)
  assert.type(v, 'string', name)
  const signature = new secp256k1.Signature(BigInt(`0x${r}`), BigInt(`0x${s}`), Number(v))
  const key = signature.recoverPublicKey(bytes(messageOf(transaction))).toHex(true)
  assert.is(ethereumAddress(key).toLowerCase(), sender.toLowerCase(), name)
}

const wordOf = (item: RLPInput): string => (item instanceof Uint8Array ? encodeHex(item).padStart(64, '0') : '')

it.run()
