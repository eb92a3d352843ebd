import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { concat, encodeHex } from '../../../core/bytes.ts'
import { publicKeyOf } from '../../../core/keys/public-key.ts'
import { sign } from '../../../core/keys/signing.ts'
import type { Fact } from '../../../core/policy/fact.ts'
import { tron } from '../../../core/policy/keywords/tron.ts'
import { E } from '../../../core/prelude.ts'
import type { ParsedTransaction, TransactionSigner } from '../../../core/transaction/transaction.ts'
import { parseTron } from '../../../core/transaction/tron.ts'
import { bytes } from '../keys/keys.ts'
import { assertFits } from './fits.ts'
import { address, field, key, NAMES, owner, published, rawData, TRANSFER } from './tron-bytes.ts'

const it = suite('transactions of TRON')

const KEY = new Uint8Array(32).fill(7)
const signer: TransactionSigner = {
  curve: 'CURVE_SECP256K1',
  publicKey: publicKeyOf('CURVE_SECP256K1', KEY),
  scheme: 'ecdsa',
  format: 'ADDRESS_FORMAT_TRON',
}

const parsed = async (raw: Uint8Array): Promise<ParsedTransaction> => {
  const result = await parseTron(raw)
  if (E.isLeft(result)) throw new Error(`${result.left.code}: ${result.left.message}`)
  return result.right
}
const factsOf = async (raw: Uint8Array): Promise<Fact> => {
  const facts = (await parsed(raw)).facts(signer, () => undefined)
  assertFits(tron.fields['tx'] ?? 'bool', facts)
  return facts
}
const contractOf = async (raw: Uint8Array): Promise<Fact> => {
  const { contract } = (await factsOf(raw)) as { readonly contract: readonly Fact[] } // it fits its type
  assert.is(contract.length, 1)
  return contract[0] ?? false
}
const messageOf = async (raw: Uint8Array): Promise<string> => {
  const messages = (await parsed(raw)).messagesFor(signer)
  if (E.isLeft(messages)) throw new Error(JSON.stringify(JSON.stringify(messages.left)))
  assert.is(messages.right.length, 1)
  return messages.right[0] ?? ''
}

/** The addresses of the bytes 0x41 and 20 times 1, 2 and 3. */
const [ONE, TWO, THREE] = [
  'TA4Wt1DUCqz6YegbnsmqsWC5uUfbdBqPxm',
  'TA9pkx4DFxrEw8JZzUtyDrh2uAat1LDuJL',
  'TAF8dttxK5iPKbvYC626aDBytrWANpLRXp',
]

it('signs the id of published transactions', async () => {
  for (const [id, raw] of published) assert.is(await messageOf(bytes(raw)), id)
})

it('shows a published call of a contract, as the policy of the documentation reads it', async () => {
  const [, raw] = published[1] ?? ['', '']
  assert.equal(await factsOf(bytes(raw)), {
    ref_block_bytes: '8ad9',
    ref_block_hash: 'eaef69105495eb15',
    expiration: 1_773_182_914_544n,
    timestamp: 1_773_182_854_544n,
    data: '',
    fee_limit: 100_000_000n,
    contract: [
      {
        type: 'TriggerSmartContract',
        permission_id: 0n,
        owner_address: 'TGexEkipwwnskd2rDXWvptwLLhjCTcNeCi',
        contract_address: 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf',
        call_value: 0n,
        data: `a9059cbb${'0'.repeat(22)}4150125bea243a640bf85348873b6c4f3c517aee7a${'1'.padStart(64, '0')}`,
        call_token_value: 0n,
        token_id: 0n,
      },
    ],
  })
})

it('shows what a transaction has beside its contract', async () => {
  const { contract, ...rest } = (await factsOf(
    rawData({
      before: [field(8, 2n ** 63n - 1n), field(10, Uint8Array.of(0xff, 0))],
      behind: [field(14, 1n), field(18, 128n)],
    }),
  )) as { readonly contract: Fact } // it fits its type
  assert.ok(contract)
  assert.equal(rest, {
    ref_block_bytes: 'abcd',
    ref_block_hash: '0102030405060708',
    expiration: 2n ** 63n - 1n,
    timestamp: 1n,
    data: 'ff00',
    fee_limit: 128n,
  })
})

type Type = keyof typeof NAMES
const MAX = 2n ** 63n - 1n
const OPERATIONS = `7fff1fc0${'0'.repeat(56)}`
const permission = (type: bigint, ...rest: readonly Uint8Array[]): Uint8Array => concat([field(1, type), ...rest])
const unnamed = { permission_name: '', threshold: 0n, parent_id: 0n, operations: '', keys: [] }

/** Each with the members that its type has, and with no others. */
const contracts: readonly (readonly [Type, what: string, body: readonly Uint8Array[], facts: Record<string, Fact>])[] =
  [
    [1, 'all members', TRANSFER, { to_address: TWO, amount: 1_000_000n }],
    [1, 'default values', TRANSFER.slice(0, 2), { to_address: TWO, amount: 0n }],
    [
      31,
      'all members',
      [
        owner,
        field(2, address(2)),
        field(3, MAX),
        field(4, Uint8Array.of(0xa9, 5)),
        field(5, 2n ** 53n + 1n),
        field(6, 1_000_001n),
      ],
      { contract_address: TWO, call_value: MAX, data: 'a905', call_token_value: 2n ** 53n + 1n, token_id: 1_000_001n },
    ],
    [
      31,
      'default values',
      [owner, field(2, address(2))],
      { contract_address: TWO, call_value: 0n, data: '', call_token_value: 0n, token_id: 0n },
    ],
    [54, 'all members', [owner, field(2, 5n), field(3, 1n)], { frozen_balance: 5n, resource: 'ENERGY' }],
    [54, 'default values', [owner], { frozen_balance: 0n, resource: 'BANDWIDTH' }],
    [54, 'votes', [owner, field(2, 5n), field(3, 2n)], { frozen_balance: 5n, resource: 'TRON_POWER' }],
    [55, 'all members', [owner, field(2, 6n), field(3, 1n)], { unfreeze_balance: 6n, resource: 'ENERGY' }],
    [55, 'default values', [owner], { unfreeze_balance: 0n, resource: 'BANDWIDTH' }],
    [
      57,
      'all members',
      [owner, field(2, 1n), field(3, 7n), field(4, address(3)), field(5, 1n), field(6, 86_400n)],
      { resource: 'ENERGY', balance: 7n, receiver_address: THREE, lock: true, lock_period: 86_400n },
    ],
    [
      57,
      'default values',
      [owner, field(4, address(3))],
      { resource: 'BANDWIDTH', balance: 0n, receiver_address: THREE, lock: false, lock_period: 0n },
    ],
    [
      58,
      'all members',
      [owner, field(2, 1n), field(3, 8n), field(4, address(3))],
      { resource: 'ENERGY', balance: 8n, receiver_address: THREE },
    ],
    [
      58,
      'default values',
      [owner, field(4, address(3))],
      { resource: 'BANDWIDTH', balance: 0n, receiver_address: THREE },
    ],
    [
      46,
      'all members',
      [
        owner,
        field(2, concat([field(3, 'owner'), field(4, 2n), key(2, 1n), key(3, 2n)])),
        field(3, permission(1n, field(2, 1n), field(3, 'witness'), field(4, 1n), field(5, 9n), key(1, 1n))),
        field(4, permission(2n, field(2, 2n), field(3, 'pay'), field(4, 1n), field(6, bytes(OPERATIONS)), key(2, 1n))),
        field(4, permission(2n, field(2, 3n), field(3, 'Grüße'))),
      ],
      {
        owner: {
          type: 'Owner',
          id: 0n,
          permission_name: 'owner',
          threshold: 2n,
          parent_id: 0n,
          operations: '',
          keys: [
            { address: TWO, weight: 1n },
            { address: THREE, weight: 2n },
          ],
        },
        witness: {
          type: 'Witness',
          id: 1n,
          permission_name: 'witness',
          threshold: 1n,
          parent_id: 9n,
          operations: '',
          keys: [{ address: ONE, weight: 1n }],
        },
        actives: [
          {
            type: 'Active',
            id: 2n,
            permission_name: 'pay',
            threshold: 1n,
            parent_id: 0n,
            operations: OPERATIONS,
            keys: [{ address: TWO, weight: 1n }],
          },
          { ...unnamed, type: 'Active', id: 3n, permission_name: 'Grüße' },
        ],
      },
    ],
    [46, 'no permissions', [owner], { actives: [] }],
    [46, 'an empty permission', [owner, field(2, '')], { owner: { ...unnamed, type: 'Owner', id: 0n }, actives: [] }],
  ]

for (const [type, what, body, facts] of contracts)
  it(`shows the members of a ${NAMES[type]} with ${what}`, async () =>
    assert.equal(await contractOf(rawData({ type: BigInt(type), body })), {
      type: NAMES[type],
      permission_id: 0n,
      owner_address: ONE,
      ...facts,
    }))

it('shows the id of the permission', async () => {
  const { permission_id } = (await contractOf(rawData({ inContract: [field(5, 2n)] }))) as Record<string, Fact> // it fits
  assert.is(permission_id, 2n)
})

it('gives the whole transaction back, with a signature as the wallets of TRON write it', async () => {
  const raw = rawData()
  const { assemble } = await parsed(raw)
  const message = await messageOf(raw)
  assert.is(message, encodeHex(sha256(raw)))
  for (const v of ['00', '01']) {
    const signature = `${'a'.repeat(64)}${'b'.repeat(64)}${v === '00' ? '1b' : '1c'}`
    assert.is(
      assemble(signer, [{ r: 'a'.repeat(64), s: 'b'.repeat(64), v }]),
      encodeHex(concat([field(1, raw), field(2, bytes(signature))])),
    )
  }
  assert.throws(() => assemble(signer, []), /expected the signature/)
  const signature = sign('ecdsa', 'CURVE_SECP256K1', KEY, bytes(message))
  const written = bytes(assemble(signer, [signature]))
  const { r, s } = secp256k1.Signature.fromBytes(written.slice(-65, -1), 'compact')
  const recovered = new secp256k1.Signature(r, s, (written.at(-1) ?? 0) - 27).recoverPublicKey(bytes(message))
  assert.is(recovered.toHex(true), signer.publicKey)
})

it('signs with ECDSA on secp256k1, for addresses of any format, and with nothing else', async () => {
  const { messagesFor } = await parsed(rawData())
  const isTaken = (other: Partial<TransactionSigner>): boolean => E.isRight(messagesFor({ ...signer, ...other }))
  assert.ok(isTaken({ format: undefined }))
  assert.ok(isTaken({ format: 'ADDRESS_FORMAT_ETHEREUM' }))
  assert.not(isTaken({ scheme: 'taproot' }))
  assert.not(isTaken({ scheme: 'schnorr' }))
  assert.not(isTaken({ curve: 'CURVE_P256' }))
  assert.not(isTaken({ curve: 'CURVE_ED25519', scheme: 'eddsa' }))
})

it('reads any bytes that were changed to the same bytes, or not at all', () => {
  const originals = contracts.map(([type, , body]) => rawData({ type: BigInt(type), body }))
  return fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...originals),
      fc.nat(),
      fc.uint8Array({ maxLength: 4 }),
      fc.nat(4),
      async (original, place, inserted, removed) => {
        const at = place % original.length
        const changed = concat([original.subarray(0, at), inserted, original.subarray(at + removed)])
        const result = await parseTron(changed)
        if (E.isLeft(result)) return
        assertFits(
          tron.fields['tx'] ?? 'bool',
          result.right.facts(signer, () => undefined),
        )
        const whole = result.right.assemble(signer, [{ r: '0'.repeat(64), s: '0'.repeat(64), v: '00' }])
        assert.ok(whole.startsWith(encodeHex(field(1, changed))))
      },
    ),
    { numRuns: 2000 },
  )
})

it.run()
