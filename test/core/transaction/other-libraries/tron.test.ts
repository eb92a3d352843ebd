import fc from 'fast-check'
import { TronWeb, utils } from 'tronweb'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeHex } from '../../../../core/bytes.ts'
import { publicKeyOf } from '../../../../core/keys/public-key.ts'
import { sign } from '../../../../core/keys/signing.ts'
import type { Fact } from '../../../../core/policy/fact.ts'
import { tron } from '../../../../core/policy/keywords/tron.ts'
import { E } from '../../../../core/prelude.ts'
import { parseTron } from '../../../../core/transaction/tron.ts'
import type { TransactionSigner } from '../../../../core/transaction/transaction.ts'
import { anyBytes, bytes } from '../../keys/keys.ts'
import { assertFits } from '../fits.ts'

/*
 * Transactions that tronweb makes, without a network: our facts are what tronweb reads from the same bytes, and the signed transaction is the
 * one that tronweb signs with the same key.
 */
const it = suite('transactions of TRON by tronweb')

const RUNS = 200
const KEY = '0707070707070707070707070707070707070707070707070707070707070707'
const signer: TransactionSigner = {
  curve: 'CURVE_SECP256K1',
  publicKey: publicKeyOf('CURVE_SECP256K1', bytes(KEY)),
  scheme: 'ecdsa',
  format: 'ADDRESS_FORMAT_TRON',
}
const tronWeb = new TronWeb({ fullHost: 'http://127.0.0.1:1' }) // it is never called
const OWN = TronWeb.address.toHex(TronWeb.address.fromPrivateKey(KEY) || '').toLowerCase()

const anyHex = (length: number): fc.Arbitrary<string> => anyBytes(length).map(encodeHex)
const anyData = fc.uint8Array({ maxLength: 200 }).map(encodeHex)
const anyAddress = anyHex(20).map((digits) => `41${digits}`)
const anyInt64 = fc.oneof(fc.nat(300), fc.maxSafeNat()) // tronweb has no larger ones
const resource = fc.constantFrom('BANDWIDTH', 'ENERGY')
const owner_address = fc.oneof(fc.constant(OWN), anyAddress)

const anyPermission = (type: 0 | 1 | 2) =>
  fc.record({
    type: fc.constant(type),
    id: fc.nat(20),
    permission_name: fc.string({ unit: 'grapheme', maxLength: 32 }),
    threshold: anyInt64,
    parentId: fc.nat(3),
    operations: type === 2 ? anyHex(32) : fc.constant(''),
    keys: fc.array(fc.record({ address: anyAddress, weight: anyInt64 }), { maxLength: 5 }),
  })

const anyValue: { readonly [type: string]: fc.Arbitrary<object> } = {
  TransferContract: fc.record({ owner_address, to_address: anyAddress, amount: anyInt64 }),
  TriggerSmartContract: fc.record({
    owner_address,
    contract_address: anyAddress,
    call_value: anyInt64,
    data: anyData,
    call_token_value: anyInt64,
    token_id: anyInt64,
  }),
  FreezeBalanceV2Contract: fc.record({ owner_address, frozen_balance: anyInt64, resource }),
  UnfreezeBalanceV2Contract: fc.record({ owner_address, unfreeze_balance: anyInt64, resource }),
  DelegateResourceContract: fc.record({
    owner_address,
    receiver_address: anyAddress,
    balance: anyInt64,
    resource,
    lock: fc.boolean(),
    lock_period: anyInt64,
  }),
  UnDelegateResourceContract: fc.record({ owner_address, receiver_address: anyAddress, balance: anyInt64, resource }),
  AccountPermissionUpdateContract: fc.record(
    {
      owner_address,
      owner: anyPermission(0),
      witness: anyPermission(1),
      actives: fc.array(anyPermission(2), { maxLength: 8 }),
    },
    { requiredKeys: ['owner_address', 'owner', 'actives'] }, // tronweb does not read what has no owner
  ),
}

/** A message of google-protobuf, as tronweb makes it. */
type Message = { readonly addSignature: (signature: Uint8Array) => void; readonly serializeBinary: () => Uint8Array }

const anyTransaction = (type: string, value: fc.Arbitrary<object>) =>
  fc
    .record({
      ref_block_bytes: anyHex(2),
      ref_block_hash: anyHex(8),
      expiration: anyInt64,
      timestamp: anyInt64,
      data: anyData,
      fee_limit: anyInt64,
      Permission_id: fc.nat(9),
      value,
    })
    .map(({ value: made, Permission_id, ...raw_data }) => {
      const parameter = { type_url: `type.googleapis.com/protocol.${type}`, value: made }
      const json = { visible: false, raw_data: { ...raw_data, contract: [{ type, parameter, Permission_id }] } }
      const message = utils.transaction.txJsonToPb(json) as Message // tronweb does not say what it is
      const raw_data_hex: string = utils.transaction.txPbToRawDataHex(message).toLowerCase()
      const txID: string = utils.transaction.txPbToTxID(message).replace(/^0x/, '')
      return { json: { ...json, raw_data_hex, txID }, message, made }
    })

/** What tronweb says, as policies see it: numbers of any size, lower-case hex, addresses in base58check. */
const asFact = (value: unknown, name = ''): Fact => {
  if (typeof value === 'number') return BigInt(value)
  if (typeof value === 'boolean') return value
  if (typeof value === 'string') {
    if (name.endsWith('address')) return TronWeb.address.fromHex(value)
    return ['data', 'operations'].includes(name) || name.startsWith('ref_block') ? value.toLowerCase() : value
  }
  if (Array.isArray(value)) return value.map((item: unknown) => asFact(item, name))
  return Object.fromEntries(
    Object.entries(value ?? {})
      .filter(([, member]) => member !== null)
      .map(([member, item]) => [member, asFact(item, member)]),
  )
}

type Made = { readonly id: number; readonly parentId: number }
type Permissions = { readonly owner?: Made; readonly witness?: Made; readonly actives?: readonly Made[] }
type Members = Readonly<Record<string, Fact>>

/** tronweb leaves `parent_id` out, and of an owner's permission `type` and `id`: these are as they were made. */
const completed = (read: Fact | undefined, { id, parentId }: Made): Fact => ({
  type: 'Owner',
  id: BigInt(id),
  parent_id: BigInt(parentId),
  ...(read as Members), // of a permission
})

const withPermissions = (read: Members, { owner, witness, actives }: Permissions): Members => ({
  ...read,
  ...(owner === undefined ? {} : { owner: completed(read['owner'], owner) }),
  ...(witness === undefined ? {} : { witness: completed(read['witness'], witness) }),
  ...(actives === undefined
    ? {}
    : { actives: actives.map((made, i) => completed((read['actives'] as readonly Fact[])[i], made)) }), // a list
})

type Read = Members & {
  readonly contract: readonly {
    readonly type: string
    readonly Permission_id: number
    readonly parameter: { readonly value: object }
  }[]
}

/** The facts, made of what tronweb reads from the bytes. */
const factsByTronWeb = (type: string, raw: string, made: Permissions): Fact => {
  const { scripts, auths, contract, ...rest } = utils.deserializeTx.deserializeTransaction(type, raw) as Read // its shape
  assert.equal([scripts, auths, contract.length], ['', [], 1])
  const [only] = contract
  const members = asFact(only?.parameter.value) as Members // of an object
  return {
    ...(asFact(rest) as Members),
    contract: [
      { type: only?.type ?? '', permission_id: BigInt(only?.Permission_id ?? -1), ...withPermissions(members, made) },
    ],
  }
}

for (const [type, value] of Object.entries(anyValue))
  it(`reads and signs ${RUNS} of ${type} as tronweb does`, async () => {
    for (const { json, message, made } of fc.sample(anyTransaction(type, value), { numRuns: RUNS, seed: 37 })) {
      const { raw_data_hex, txID } = json
      const result = await parseTron(bytes(raw_data_hex))
      if (E.isLeft(result)) throw new Error(`${result.left.message}: ${raw_data_hex}`)
      const { facts, messagesFor, assemble } = result.right
      const shown = facts(signer, () => undefined)
      assertFits(tron.fields['tx'] ?? 'bool', shown)
      assert.equal(shown, factsByTronWeb(type, raw_data_hex, made))
      assert.equal(messagesFor(signer), E.right([txID]))

      const signed = assemble(signer, [sign(signer.scheme, signer.curve, bytes(KEY), bytes(txID))])
      const transaction = json as Parameters<typeof tronWeb.trx.sign>[0]
      const { signature } = (await tronWeb.trx.sign(transaction, KEY, true, true)) as { readonly signature: string[] }
      const [own = ''] = signature
      assert.is(signed.slice(-130), own.toLowerCase())
      message.addSignature(bytes(own))
      assert.is(signed, encodeHex(message.serializeBinary()))
      assert.is(utils.crypto.ecRecover(txID, signed.slice(-130)).toLowerCase(), OWN)
    }
  })

it.run()
