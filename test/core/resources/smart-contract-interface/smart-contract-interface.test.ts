import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { codeOf, world } from '../../world/world.ts'
import type { Members } from '../wallet/wallet-world.ts'

const it = suite('smart contract interfaces')

const ABI = JSON.stringify([
  { type: 'function', name: 'transfer', inputs: [{ name: 'to', type: 'address' }], outputs: [] },
])
const IDL = JSON.stringify({ instructions: [{ name: 'swap', accounts: [], args: [] }], types: [] })
const TOKEN = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'

const given = (more: Members = {}): Members => ({
  smartContractAddress: TOKEN,
  smartContractInterface: ABI,
  type: 'SMART_CONTRACT_INTERFACE_TYPE_ETHEREUM',
  label: 'the token',
  notes: '',
  ...more,
})
const solana = {
  type: 'SMART_CONTRACT_INTERFACE_TYPE_SOLANA',
  smartContractInterface: IDL,
  smartContractAddress: PROGRAM,
}

it('are one for each type and address, those of Ethereum in any case', async () => {
  const w = await world()
  const submit = async (more?: Members) =>
    codeOf(await w.submit(w.root, 'create_smart_contract_interface', given(more)))
  assert.is(await submit(), 'no failure')
  assert.is(await submit({ smartContractAddress: TOKEN.toUpperCase().replace('0X', '0x') }), 'REQUEST_INVALID')
  assert.is(await submit(solana), 'no failure')
  assert.is(await submit({ ...solana, smartContractAddress: PROGRAM.replace('D', 'E') }), 'no failure')
  assert.is(await submit(solana), 'REQUEST_INVALID')
  await w.close()
})

const refused: readonly (readonly [what: string, more: Members, place: RegExp])[] = [
  ['an address of another chain', { smartContractAddress: PROGRAM }, /smartContractAddress.*0x and 40 hex digits/],
  ['a program of 31 bytes', { ...solana, smartContractAddress: '1'.repeat(31) }, /smartContractAddress/],
  ['no list', { smartContractInterface: '{}' }, /smartContractInterface.*a list/],
  [
    'a wrong type',
    { smartContractInterface: ABI.replace('"address"', '"adress"') },
    /smartContractInterface.*\[0\]\.inputs\[0\]\.type/,
  ],
  [
    'an IDL without types',
    { ...solana, smartContractInterface: '{"instructions":[]}' },
    /smartContractInterface.*types/,
  ],
  ['too long a text', { smartContractInterface: `[${' '.repeat(400_000)}]` }, /400000 characters/],
]
for (const [what, more, place] of refused)
  it(`are refused with the place: ${what}`, async () => {
    const w = await world()
    const outcome = await w.submit(w.root, 'create_smart_contract_interface', given(more))
    assert.is(codeOf(outcome), 'REQUEST_INVALID')
    assert.match(JSON.stringify(outcome), place)
    await w.close()
  })

it('are as many as the limit says', async () => {
  const w = await world({ limits: { smartContractInterfaces: 1 } })
  await w.done(w.root, 'create_smart_contract_interface', given())
  assert.is(codeOf(await w.submit(w.root, 'create_smart_contract_interface', given(solana))), 'RESOURCE_EXHAUSTED')
  await w.close()
})

it('are referred to by the organization, with the hash of their text', async () => {
  const w = await world()
  await w.done(w.root, 'create_smart_contract_interface', given())
  const { organizationData } = await w.answer(w.root, 'get_organization')
  const [reference] = (organizationData as { readonly smartContractInterfaceReferences: readonly Members[] })
    .smartContractInterfaceReferences // as the query defines it
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(ABI)))
  assert.is(reference?.['digest'], Buffer.from(hash).toString('hex'))
  assert.is(reference?.['smartContractAddress'], TOKEN)
  await w.close()
})

it.run()
