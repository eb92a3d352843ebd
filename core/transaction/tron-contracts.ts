import { base58 } from '@scure/base'
import { withChecksum } from '../keys/addresses/checksums.ts'
import type { Fact } from '../policy/fact.ts'
import { bool, enumeration, hex, int32, int64, text } from './protobuf-scalars.ts'
import { list, message, one, optional, type Coder } from './protobuf.ts'

/*
 * The contracts of TRON that are signed, with their members and the numbers of these as the network's own definition has them
 * (https://github.com/tronprotocol/protocol). What is read is what policies see, and what is written again.
 */

/** An address as people write it, in base58check: `T…`. Any other than 21 bytes that begin with 0x41 is refused. */
const address: Coder<string> = {
  wire: 2,
  read: (content) => (content.length === 21 && content[0] === 0x41 ? base58.encode(withChecksum(content)) : undefined),
  write: (value) => base58.decode(value).subarray(0, 21),
}

/** The network takes no more: so many addresses could cost half a second to write. */
const KEYS_MAX = 5
const ACTIVES_MAX = 8

const resource = enumeration(['BANDWIDTH', 'ENERGY', 'TRON_POWER'])

const permission = message({
  type: one(1, enumeration(['Owner', 'Witness', 'Active'])),
  id: one(2, int32),
  permission_name: one(3, text),
  threshold: one(4, int64),
  parent_id: one(5, int32),
  operations: one(6, hex),
  keys: list(7, KEYS_MAX, message({ address: one(1, address), weight: one(2, int64) })),
})

/** A contract that was read. */
export type Contract = {
  /** For policies: the members of its type, those with default values, too. */
  readonly facts: { readonly [name: string]: Fact }
  /** The contract, written again. */
  readonly written: Uint8Array
}
type ContractType = {
  readonly name: string
  /** @returns `undefined` for what is no such contract */
  readonly read: (content: Uint8Array) => Contract | undefined
}

const contractType = <T extends Contract['facts']>(name: string, coder: Coder<T>): ContractType => ({
  name,
  read: (content) => {
    const facts = coder.read(content)
    return facts === undefined ? undefined : { facts, written: coder.write(facts) }
  },
})

/** The types of contracts that are signed, by the numbers that transactions name them with. */
export const contractTypes: ReadonlyMap<bigint, ContractType> = new Map([
  [
    1n,
    contractType(
      'TransferContract',
      message({ owner_address: one(1, address), to_address: one(2, address), amount: one(3, int64) }),
    ),
  ],
  [
    31n,
    contractType(
      'TriggerSmartContract',
      message({
        owner_address: one(1, address),
        contract_address: one(2, address),
        call_value: one(3, int64),
        data: one(4, hex),
        call_token_value: one(5, int64),
        token_id: one(6, int64),
      }),
    ),
  ],
  [
    46n,
    contractType(
      'AccountPermissionUpdateContract',
      message({
        owner_address: one(1, address),
        owner: optional(2, permission),
        witness: optional(3, permission),
        actives: list(4, ACTIVES_MAX, permission),
      }),
    ),
  ],
  [
    54n,
    contractType(
      'FreezeBalanceV2Contract',
      message({ owner_address: one(1, address), frozen_balance: one(2, int64), resource: one(3, resource) }),
    ),
  ],
  [
    55n,
    contractType(
      'UnfreezeBalanceV2Contract',
      message({ owner_address: one(1, address), unfreeze_balance: one(2, int64), resource: one(3, resource) }),
    ),
  ],
  [
    57n,
    contractType(
      'DelegateResourceContract',
      message({
        owner_address: one(1, address),
        resource: one(2, resource),
        balance: one(3, int64),
        receiver_address: one(4, address),
        lock: one(5, bool),
        lock_period: one(6, int64),
      }),
    ),
  ],
  [
    58n,
    contractType(
      'UnDelegateResourceContract',
      message({
        owner_address: one(1, address),
        resource: one(2, resource),
        balance: one(3, int64),
        receiver_address: one(4, address),
      }),
    ),
  ],
])
