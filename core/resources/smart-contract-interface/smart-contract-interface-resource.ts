import { resource } from '../../definition/resource.ts'
import { createSmartContractInterface } from './create-smart-contract-interface.ts'
import { deleteSmartContractInterface } from './delete-smart-contract-interface.ts'
import { getSmartContractInterface } from './get-smart-contract-interface.ts'
import { listSmartContractInterfaces } from './list-smart-contract-interfaces.ts'
import { smartContractInterfaceLimits } from './smart-contract-interface-limits.ts'
import { smartContractInterfaces } from './smart-contract-interfaces.ts'

export {
  createSmartContractInterface,
  deleteSmartContractInterface,
  getSmartContractInterface,
  listSmartContractInterfaces,
  smartContractInterfaces,
}

export const smartContractInterfaceResource = resource({
  name: 'smart-contract-interfaces',
  states: [smartContractInterfaces],
  limits: smartContractInterfaceLimits,
  operations: [createSmartContractInterface, deleteSmartContractInterface],
  queries: [getSmartContractInterface, listSmartContractInterfaces],
})
