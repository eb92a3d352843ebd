import type { Json } from '../../../core/failure.ts'
import type { Fact } from '../../../core/policy/fact.ts'
import { solana } from '../../../core/policy/keywords/solana.ts'
import { fieldOf } from '../../../core/policy/value-types.ts'
import { assertFits } from './fits.ts'
import { addressOf, factsOf, otherAddress, type Tx, type WireInstruction } from './solana-transactions.ts'

/** An IDL of one instruction `go`, whose discriminator is `01`, with these arguments. */
export const idlOf = (args: Json, types: Json = [], accounts: Json = []): string =>
  JSON.stringify({ instructions: [{ name: 'go', discriminator: [1], accounts, args }], types })

export const PROGRAM = otherAddress(77)

export const txOf = async (idl: string, instructions: readonly WireInstruction[]): Promise<Tx> => {
  const facts = await factsOf({ keys: [addressOf(1), otherAddress(2), PROGRAM], instructions }, (address) =>
    address === PROGRAM ? idl : undefined,
  )
  const type = fieldOf(solana, 'tx')
  if (type !== undefined) assertFits(type, facts)
  return facts
}

export const parsedOf = async (
  idl: string,
  data: string,
  accounts: readonly number[] = [],
): Promise<Fact | undefined> => (await txOf(idl, [[2, accounts, data]])).instructions[0]?.['parsed_instruction_data']

/** The arguments, as an object of the usual prototype; `undefined` if the data was not read. */
export const argsOf = async (idl: string, data: string): Promise<unknown> => {
  const parsed = await parsedOf(idl, `01${data}`)
  return parsed === undefined ? undefined : plain((parsed as { readonly program_call_args: Fact }).program_call_args)
}
export const plain = (value: Fact): unknown => {
  if (typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(plain)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]))
}

export const arg = (type: Json): Json => [{ name: 'x', type }]
export const defined = (name: string): Json => ({ defined: name })
export const structOf = (name: string, fields?: Json): Json => ({
  name,
  type: fields === undefined ? { kind: 'struct' } : { kind: 'struct', fields },
})
export const point = structOf('Point', [
  { name: 'left', type: 'u8' },
  { name: 'right', type: { option: 'i16' } },
])
export const order = {
  name: 'Order',
  type: {
    kind: 'enum',
    variants: [
      { name: 'Market' },
      { name: 'Limit', fields: ['u8', { option: 'u8' }] },
      { name: 'Stop', fields: [{ name: 'price', type: 'u16' }] },
    ],
  },
}
