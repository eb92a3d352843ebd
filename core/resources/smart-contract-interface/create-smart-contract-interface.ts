import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { refuse } from '../../definition/refuse.ts'
import { checkQuota } from '../check-quota.ts'
import { INTERFACE_LENGTH_MAX, smartContractInterfaceLimits } from './smart-contract-interface-limits.ts'
import {
  interfaceFor,
  interfaceForms,
  InterfaceType,
  keepInterface,
  SmartContractInterface,
  smartContractInterfaces,
} from './smart-contract-interfaces.ts'

export const createSmartContractInterface = operation({
  type: 'ACTIVITY_TYPE_CREATE_SMART_CONTRACT_INTERFACE',
  path: 'create_smart_contract_interface',
  summary: 'Keeps the interface of a contract or program, so that policies can name what a transaction calls.',
  resource: 'SMART_CONTRACT_INTERFACE',
  action: 'CREATE',
  intent: t.fields(
    {
      smartContractAddress: t.Text,
      smartContractInterface: t.textUpTo(INTERFACE_LENGTH_MAX),
      type: InterfaceType,
      label: t.Label,
    },
    { notes: t.string },
  ),
  result: t.fields({ smartContractInterfaceId: t.string }),
  change: SmartContractInterface,

  inspect: ({ type, smartContractAddress, smartContractInterface }) => {
    const { address, isAddress, read } = interfaceForms[type]
    if (!isAddress(smartContractAddress)) throw refuse.field('smartContractAddress', address)
    const outcome = read(smartContractInterface)
    if (outcome._tag === 'Left') throw refuse.field('smartContractInterface', outcome.left)
  },

  execute: ({ notes = '', ...given }, context) => {
    const { organization, ids } = context
    const { smartContractInterfaces: most } = smartContractInterfaceLimits.of(context)
    checkQuota(smartContractInterfaces.of(organization).size + 1, most, 'smart contract interfaces')
    if (interfaceFor(organization, given.type, given.smartContractAddress) !== undefined)
      throw refuse.notUnique('smartContractAddress')
    const smartContractInterfaceId = ids()
    return { result: { smartContractInterfaceId }, change: { smartContractInterfaceId, ...given, notes } }
  },

  evolve: keepInterface,
})
