import { base58 } from '@scure/base'
import * as t from '../../codec/t.ts'
import { state, type DeepReadonly, type Organization } from '../../organization/state.ts'
import type { E } from '../../prelude.ts'
import { readEthereumInterface } from '../../transaction/ethereum-interface.ts'
import { readSolanaInterface } from '../../transaction/solana-interface.ts'
import { keeps, times } from '../records.ts'

const ETHEREUM = 'SMART_CONTRACT_INTERFACE_TYPE_ETHEREUM'
const SOLANA = 'SMART_CONTRACT_INTERFACE_TYPE_SOLANA'

export const InterfaceType = t.keyof({ [ETHEREUM]: null, [SOLANA]: null })
export type InterfaceType = t.TypeOf<typeof InterfaceType>

const members = {
  smartContractInterfaceId: t.string,
  smartContractAddress: t.string,
  smartContractInterface: t.string,
  type: InterfaceType,
  label: t.string,
  notes: t.string,
}
export const SmartContractInterface = t.fields(members)
export type SmartContractInterface = t.TypeOf<typeof SmartContractInterface>

const Kept = t.fields({ ...members, ...times })

/** The interfaces of contracts and programs, by id, in order of creation: an ABI of Ethereum or an IDL of Solana, as the request gave it. */
export const smartContractInterfaces = state({
  name: 'smart-contract-interfaces',
  version: 1,
  codec: t.mapOf(Kept),
  initial: () => new Map(),
})

export const keepInterface = keeps<SmartContractInterface>(
  smartContractInterfaces,
  (one) => one.smartContractInterfaceId,
)

type Form = {
  /** What an address has to be: completes the sentence "expected …". */
  readonly address: string
  readonly isAddress: (text: string) => boolean
  /** What was expected, and where, of a text that is no interface. */
  readonly read: (text: string) => E.Either<string, unknown>
}

export const interfaceForms: Readonly<Record<InterfaceType, Form>> = {
  [ETHEREUM]: {
    address: '0x and 40 hex digits',
    isAddress: (text) => /^0x[0-9a-f]{40}$/i.test(text),
    read: readEthereumInterface,
  },
  [SOLANA]: {
    address: 'the 32 bytes of a program id in base58',
    isAddress: (text) => isProgramId(text),
    read: readSolanaInterface,
  },
}

const isProgramId = (text: string): boolean => {
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)) return false
  return base58.decode(text).length === 32
}

/** The interface for an address. Those of Ethereum are the same in any case. */
export const interfaceFor = (
  organization: Organization,
  type: InterfaceType,
  address: string,
): DeepReadonly<SmartContractInterface> | undefined => {
  const canonical = (text: string): string => (type === ETHEREUM ? text.toLowerCase() : text)
  const wanted = canonical(address)
  for (const one of smartContractInterfaces.of(organization).values())
    if (one.type === type && canonical(one.smartContractAddress) === wanted) return one
  return undefined
}
