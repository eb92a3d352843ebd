import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { deletes } from '../deletes.ts'
import { smartContractInterfaces } from './smart-contract-interfaces.ts'

const Named = t.fields({ smartContractInterfaceId: t.Uuid })

export const deleteSmartContractInterface = operation({
  type: 'ACTIVITY_TYPE_DELETE_SMART_CONTRACT_INTERFACE',
  path: 'delete_smart_contract_interface',
  summary: 'Deletes the interface of a contract or program.',
  resource: 'SMART_CONTRACT_INTERFACE',
  action: 'DELETE',
  intent: Named,
  result: Named,
  change: Named,
  ...deletes(
    'smart contract interface',
    smartContractInterfaces,
    ({ smartContractInterfaceId }: t.TypeOf<typeof Named>) => [smartContractInterfaceId],
  ),
})
