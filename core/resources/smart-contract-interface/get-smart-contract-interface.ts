import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { shown } from '../records.ts'
import { SmartContractInterfaceView } from './smart-contract-interface-view.ts'
import { smartContractInterfaces } from './smart-contract-interfaces.ts'

export const getSmartContractInterface = query({
  path: 'get_smart_contract_interface',
  summary: 'Shows the interface of a contract or program.',
  request: t.fields({ organizationId: t.Uuid, smartContractInterfaceId: t.Uuid }),
  answer: t.fields({ smartContractInterface: SmartContractInterfaceView }),
  run: ({ smartContractInterfaceId }, { organization, find }) => ({
    smartContractInterface: shown(organization)(
      find('smart contract interface', smartContractInterfaces, smartContractInterfaceId),
    ),
  }),
})
