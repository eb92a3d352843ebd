import { concat } from '../../../../core/bytes.ts'
import { bytes } from '../../keys/keys.ts'
import { address, field, key, type NAMES, owner, TRANSFER } from '../../transaction/tron-bytes.ts'
import type { SigningKeys } from './signing-keys.ts'
import { ethereumHex, signing, tronHex, type Asked } from './transaction-requests.ts'
import type { Row } from './transaction-rows.ts'

/** The addresses of the bytes 0x41 and 20 times 1, 2 and 3. */
const ONE = 'TA4Wt1DUCqz6YegbnsmqsWC5uUfbdBqPxm'
const TWO = 'TA9pkx4DFxrEw8JZzUtyDrh2uAat1LDuJL'
const THREE = 'TAF8dttxK5iPKbvYC626aDBytrWANpLRXp'

export const tronRows = (keys: SigningKeys): readonly Row[] => [
  ...transactionRows(keys),
  ...contractRows(keys),
  ...permissionRows(keys),
]

const askedBy =
  ({ tron }: SigningKeys) =>
  (...given: Parameters<typeof tronHex>): Asked =>
    signing(tron, 'TRANSACTION_TYPE_TRON', tronHex(...given))

const transactionRows = (keys: SigningKeys): readonly Row[] => {
  const asked = askedBy(keys)
  const elsewhere = asked({ ref: [field(1, 'ab'), field(4, '12345678')] })
  return [
    ["tron.tx.ref_block_bytes == 'abcd'", asked(), elsewhere],
    ["tron.tx.ref_block_hash == '0102030405060708'", asked(), elsewhere],
    ['tron.tx.expiration <= 1700000060000', asked(), asked({ before: [field(8, 1_700_000_060_001n)] })],
    ['tron.tx.timestamp == 1700000000000', asked(), asked({ behind: [] })],
    ["tron.tx.data == ''", asked(), asked({ before: [field(8, 1_700_000_060_000n), field(10, 'memo')] })],
    ['tron.tx.fee_limit <= 5', asked({ behind: [field(18, 5n)] }), asked({ behind: [field(18, 6n)] })],
    ['tron.tx.contract.count() == 1 && tron.tx.fee_limit == 0', asked(), asked({ behind: [field(18, 6n)] })],
    [
      "activity.params.type == 'TRANSACTION_TYPE_TRON'",
      asked(),
      signing(keys.ethereum, 'TRANSACTION_TYPE_ETHEREUM', ethereumHex()),
    ],
  ]
}

const contractRows = (keys: SigningKeys): readonly Row[] => {
  const asked = askedBy(keys)
  const of = (type: keyof typeof NAMES, ...body: readonly Uint8Array[]): Asked => asked({ type: BigInt(type), body })
  const call = (value: bigint, data: string, tokens: bigint, contract = 2): Asked =>
    of(31, owner, field(2, address(contract)), field(3, value), field(4, bytes(data)), field(5, tokens), field(6, 7n))
  const called = call(5n, 'a905', 6n)
  const lends = (...rest: readonly Uint8Array[]): Asked => of(57, owner, field(2, 1n), field(3, 7n), ...rest)
  const locked = lends(field(4, address(3)), field(5, 1n), field(6, 9n))
  const unlocked = lends(field(4, address(2)))
  const all = (condition: string): string => `tron.tx.contract.all(c, c.${condition})`
  return [
    [all("type == 'TransferContract'"), asked(), called],
    [all('permission_id == 0'), asked(), asked({ inContract: [field(5, 2n)] })],
    [all(`owner_address == '${ONE}'`), asked(), asked({ body: [field(1, address(3)), ...TRANSFER.slice(1)] })],
    [all(`to_address == '${TWO}'`), asked(), asked({ body: [owner, field(2, address(3)), field(3, 1n)] })],
    [all('amount <= 1000000'), asked(), asked({ body: [owner, field(2, address(2)), field(3, 1_000_001n)] })],
    [all(`contract_address == '${TWO}'`), called, call(5n, 'a905', 6n, 3)],
    [all('call_value <= 5'), called, call(6n, 'a905', 6n)],
    [all("data == 'a905'"), called, call(5n, 'a906', 6n)],
    [all('call_token_value <= 6'), called, call(5n, 'a905', 7n)],
    [all('token_id == 7'), called, asked()],
    [all("resource == 'ENERGY'"), of(54, owner, field(2, 5n), field(3, 1n)), of(54, owner, field(2, 5n))],
    [all('frozen_balance <= 5'), of(54, owner, field(2, 5n)), of(54, owner, field(2, 6n))],
    [all('unfreeze_balance <= 5'), of(55, owner, field(2, 5n)), of(55, owner, field(2, 6n))],
    [
      all('balance <= 7'),
      of(58, owner, field(3, 7n), field(4, address(3))),
      of(58, owner, field(3, 8n), field(4, address(3))),
    ],
    [all(`receiver_address == '${THREE}'`), locked, unlocked],
    [all('lock'), locked, unlocked],
    [all('lock_period == 9'), locked, unlocked],
  ]
}

const OPERATIONS = `7fff1fc0${'0'.repeat(56)}`

/** A permission: its type, and more of its members. */
const permission = (type: bigint, ...more: readonly Uint8Array[]): Uint8Array =>
  concat([...(type === 0n ? [] : [field(1, type)]), ...more])

const permissionRows = (keys: SigningKeys): readonly Row[] => {
  const update = (...body: readonly Uint8Array[]): Asked => askedBy(keys)({ type: 46n, body: [owner, ...body] })
  const owned = (threshold: bigint, ...keysOfIt: readonly Uint8Array[]): Asked =>
    update(field(2, permission(0n, field(3, 'owner'), field(4, threshold), ...keysOfIt)))
  const active = (id: bigint, name: string, parent: bigint, operations = OPERATIONS): Asked =>
    update(
      field(4, permission(2n, field(2, id), field(3, name), field(5, parent), field(6, bytes(operations)), key(2, 1n))),
    )
  const witness = (name: string): Asked => update(field(3, permission(1n, field(3, name))))
  const [own, pay] = [owned(2n, key(2, 1n), key(3, 1n)), active(2n, 'pay', 4n)]
  const all = (condition: string): string => `tron.tx.contract.all(c, c.${condition})`
  const actives = (condition: string): string => all(`actives.all(p, p.${condition})`)
  return [
    [all('owner.threshold >= 2'), own, owned(1n, key(2, 1n))],
    [all('owner.keys.count() == 2'), own, owned(2n, key(2, 2n))],
    [all(`owner.keys.any(k, k.address == '${THREE}')`), own, owned(2n, key(2, 2n))],
    [all('owner.keys.all(k, k.weight == 1)'), own, owned(2n, key(2, 2n))],
    [all("witness.permission_name == 'witness'"), witness('witness'), witness('other')],
    [all("witness.type == 'Witness'"), witness('witness'), own],
    [all('actives.count() == 0'), own, pay],
    [actives("type == 'Active'"), pay, askedBy(keys)()],
    [actives('id == 2'), pay, active(3n, 'pay', 4n)],
    [actives("permission_name == 'pay'"), pay, active(2n, 'other', 4n)],
    [actives('parent_id == 4'), pay, active(2n, 'pay', 5n)],
    [actives(`operations == '${OPERATIONS}'`), pay, active(2n, 'pay', 4n, 'ff'.repeat(32))],
  ]
}
