import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { InOrganization } from '../in-organization.ts'
import { shown } from '../records.ts'
import { wholeList } from '../whole-list.ts'
import { SmartContractInterfaceView } from './smart-contract-interface-view.ts'
import { smartContractInterfaces } from './smart-contract-interfaces.ts'

export const listSmartContractInterfaces = query({
  path: 'list_smart_contract_interfaces',
  summary: 'Lists the interfaces of contracts and programs.',
  request: InOrganization,
  answer: t.fields({ smartContractInterfaces: t.readonlyArray(SmartContractInterfaceView) }),
  run: (_, { organization }) =>
    wholeList('smartContractInterfaces', smartContractInterfaces.of(organization), shown(organization)),
})
