import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { audited, exported } from '../../audit/logs.ts'
import { entry, grace, inputOf, withField } from '../../transaction/psbts.ts'
import { transfer } from '../../transaction/solana-transactions.ts'
import { bytes } from '../../keys/keys.ts'
import { encodeHex } from '../../../../core/bytes.ts'
import { INPUT } from '../../../../core/transaction/psbt-fields.ts'
import type { PsbtEntry } from '../../../../core/transaction/psbt-maps.ts'
import { world, type Place } from '../../world/world.ts'
import { makeKeys, privateKey } from '../wallet/wallet-world.ts'
import {
  ALLOWED,
  bitcoinEnemies,
  BURN_ABI,
  callEnemies,
  chainIdEnemies,
  DENIED,
  formEnemies,
  ROUTER,
  ROUTER_ABI,
  solanaEnemies,
  strangers,
  type Enemy,
  type EnemyKeys,
} from './enemies.ts'
import { makeChainKeys } from './signing-keys.ts'
import {
  ABI,
  bitcoinHex,
  CONTRACT,
  ethereumHex,
  interfaceFor,
  OTHER_CONTRACT,
  outcomeOf,
  signing,
  solanaHex,
  tempoHex,
  underPolicy,
  type Asked,
} from './transaction-requests.ts'

const it = suite('enemies with transactions')

const enemiesOf = (keys: EnemyKeys): readonly Enemy[] =>
  [callEnemies, chainIdEnemies, solanaEnemies, bitcoinEnemies, formEnemies, strangers].flatMap((rows) => rows(keys))

/** Keys of every chain, and one that is disabled. */
const makeEnemyKeys = async (w: Place): Promise<EnemyKeys> => {
  const [disabled] = await makeKeys(w, privateKey('disabled'))
  const privateKeyId = disabled?.privateKeyId ?? ''
  await w.done(w.root, 'disable_private_key', { privateKeyId })
  return { ...(await makeChainKeys(w)), disabled: privateKeyId }
}

it('are refused and leave nothing in the log, or are denied, or are let through only by a policy that asks too little', async () => {
  const w = await world()
  const ada = await w.enrol('ada')
  const keys = await makeEnemyKeys(w)
  await w.done(w.root, ...interfaceFor(CONTRACT, ABI))
  await w.done(w.root, ...interfaceFor(ROUTER, ROUTER_ABI))
  await w.done(w.root, ...interfaceFor(OTHER_CONTRACT, BURN_ABI))
  const { store } = w.storage
  for (const [name, condition, asked, outcome] of enemiesOf(keys))
    await underPolicy(w, ada, condition, async () => {
      const before = await exported(store)
      assert.is(await outcomeOf(w, ada, asked), outcome, `${name}, while ${condition}`)
      const isStored = outcome === ALLOWED || outcome === DENIED
      assert.is((await exported(store)) === before, !isStored, name)
    })
  const { counts, findings } = await audited(await exported(store))
  assert.equal(findings, [])
  assert.ok(counts.decisions > 100 && counts.executions > 100)
  await w.close()
})

/** The signed transaction, in hex. */
const signed = async (w: Place, [path, parameters]: Asked): Promise<string> => {
  const { result } = await w.done(w.root, path, parameters)
  const { signedTransaction } = result['signTransactionResult'] as { readonly signedTransaction: string } // as defined
  return signedTransaction
}

it('sign a transaction that is signed already as if it were not, whoever has signed it', async () => {
  const w = await world()
  const keys = await makeChainKeys(w)
  const [other] = await makeKeys(w, privateKey('other'))
  const chains = [
    ['TRANSACTION_TYPE_ETHEREUM', ethereumHex()],
    ['TRANSACTION_TYPE_TEMPO', tempoHex()],
  ] as const
  for (const [type, hex] of chains) {
    const first = await signed(w, signing(keys.ethereum, type, hex))
    const byOther = await signed(w, signing(other?.privateKeyId ?? '', type, hex))
    assert.is.not(byOther, first)
    for (const again of [first, byOther, `0x${first.toUpperCase()}`])
      assert.is(await signed(w, signing(keys.ethereum, type, again)), first, type)
  }
  const psbt = await signed(w, signing(keys.bitcoin.address, 'TRANSACTION_TYPE_BITCOIN', bitcoinHex(keys)))
  assert.is(await signed(w, signing(keys.bitcoin.address, 'TRANSACTION_TYPE_BITCOIN', psbt)), psbt)
  await w.close()
})

/** A signature of Bitcoin, whatever it signs: 9 bytes. */
const DER = '300602010102010101'

it('leave the slots and inputs of other signers as they are', async () => {
  const w = await world()
  const keys = await makeChainKeys(w)
  const slots = (own: number, others: number): string =>
    solanaHex(keys.solana, {
      ...transfer,
      header: [2, 0, 1],
      signatures: [own, others].map((byte) => new Uint8Array(64).fill(byte)),
    })
  const bySolana = (hex: string): Promise<string> => signed(w, signing(keys.solana, 'TRANSACTION_TYPE_SOLANA', hex))
  const first = await bySolana(slots(0, 0xaa))
  assert.is(first.slice(2 + 128), slots(0, 0xaa).slice(2 + 128))
  assert.is(await bySolana(slots(0xbb, 0xaa)), first)
  assert.is.not(first.slice(2, 2 + 128), '00'.repeat(64))
  const inputs = (...more: readonly PsbtEntry[]): string =>
    bitcoinHex(keys, {
      inputs: [inputOf('P2WPKH', keys.bitcoin.key, 9_000n), withField(inputOf('P2WPKH', grace, 9_000n, 1), ...more)],
    })
  const signature = entry(INPUT.partialSignature, bytes(DER), grace.publicKey)
  const byBitcoin = (hex: string): Promise<string> =>
    signed(w, signing(keys.bitcoin.address, 'TRANSACTION_TYPE_BITCOIN', hex))
  const both = await byBitcoin(inputs(signature))
  assert.ok(both.includes(`${encodeHex(grace.publicKey)}09${DER}`))
  assert.is(both.length - (await byBitcoin(inputs())).length, inputs(signature).length - inputs().length)
  await w.close()
})

it.run()
