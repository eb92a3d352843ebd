import { createSmartContractInterface } from '../../../../core/resources/smart-contract-interface/create-smart-contract-interface.ts'
import { deleteSmartContractInterface } from '../../../../core/resources/smart-contract-interface/delete-smart-contract-interface.ts'
import { getSmartContractInterface } from '../../../../core/resources/smart-contract-interface/get-smart-contract-interface.ts'
import { listSmartContractInterfaces } from '../../../../core/resources/smart-contract-interface/list-smart-contract-interfaces.ts'
import { asking, example, NOBODY, ORGANIZATION, type Scene } from '../example.ts'

/** An ABI with one function, of which the name is given. */
const abiWith = (name: string): string =>
  JSON.stringify([
    {
      type: 'function',
      name,
      stateMutability: 'nonpayable',
      inputs: [
        { name: 'to', type: 'address' },
        { name: 'amount', type: 'uint256' },
      ],
      outputs: [{ name: '', type: 'bool' }],
    },
  ])

const given = ({ text, publicKey }: Scene) => ({
  smartContractAddress: `0x${publicKey().slice(-40)}`,
  smartContractInterface: abiWith(text('smartContractInterface')),
  type: 'SMART_CONTRACT_INTERFACE_TYPE_ETHEREUM',
  label: text('label'),
  notes: text('notes'),
})
const named = async ({ made }: Scene) => ({
  smartContractInterfaceId: (await made(createSmartContractInterface)).smartContractInterfaceId,
})
const nobody = { smartContractInterfaceId: NOBODY }

export const examples = [
  example(createSmartContractInterface, {
    valid: given,
    refused: [(scene) => ({ ...given(scene), smartContractInterface: '{"no":"list"}' }), 'REQUEST_INVALID'],
  }),
  example(deleteSmartContractInterface, { valid: named, refused: [nobody, 'RESOURCE_NOT_FOUND'] }),
  asking(
    getSmartContractInterface,
    async (scene) => {
      const request = await named(scene)
      return { request, shows: { smartContractInterface: request } }
    },
    { refused: [nobody, 'RESOURCE_NOT_FOUND'] },
  ),
  asking(listSmartContractInterfaces, async (scene) => ({
    request: {},
    shows: { smartContractInterfaces: [await named(scene)] },
  })),
]

export const texts = {
  smartContractAddress: ORGANIZATION,
  smartContractInterface: ORGANIZATION,
  label: ORGANIZATION,
  notes: ORGANIZATION,
}
