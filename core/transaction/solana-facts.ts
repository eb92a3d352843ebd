import { encodeHex } from '../bytes.ts'
import type { Fact } from '../policy/fact.ts'
import { compiledInterface } from './solana-interface.ts'
import { parsedInstructionData, VALUES_MAX, type Budget } from './solana-instruction-data.ts'
import type { SolanaAccount, SolanaInstruction, SolanaLookup, SolanaMessage } from './solana-message.ts'
import type { SolanaTransfers } from './solana-transfers.ts'
import type { InterfaceOf } from './transaction.ts'

/**
 * The value of `solana.tx`. Writable is what the message says, before a validator takes it back for programs and for its own accounts.
 *
 * @param interfaceOf  is asked for the key of a program, in base58
 */
export const solanaFacts = (
  { keys, instructions, lookups, blockhash }: SolanaMessage,
  { transfers, splTransfers }: SolanaTransfers,
  interfaceOf: InterfaceOf,
): Fact => {
  const budget: Budget = { left: VALUES_MAX }
  return {
    account_keys: keys,
    program_keys: [...new Set(instructions.map(({ programKey }) => programKey))],
    instructions: instructions.map((instruction) => instructionFact(instruction, lookups, interfaceOf, budget)),
    transfers,
    recent_blockhash: blockhash,
    spl_transfers: splTransfers,
    address_table_lookups: lookups.map(lookupFact),
  }
}

const instructionFact = (
  instruction: SolanaInstruction,
  lookups: readonly SolanaLookup[],
  interfaceOf: InterfaceOf,
  budget: Budget,
): Fact => {
  const { programKey, accounts, data } = instruction
  const text = interfaceOf(programKey)
  const known = text === undefined ? undefined : compiledInterface(text)
  const parsed = known === undefined ? undefined : parsedInstructionData(known, instruction, budget)
  const used = new Set(accounts.map(({ lookup }) => lookup))
  return {
    program_key: programKey,
    accounts: accounts.map(accountFact),
    instruction_data_hex: encodeHex(data),
    address_table_lookups: lookups.filter((lookup) => used.has(lookup)).map(lookupFact),
    ...(parsed === undefined ? {} : { parsed_instruction_data: parsed }),
  }
}

const accountFact = ({ key, isSigner, isWritable }: SolanaAccount): Fact => ({
  account_key: key,
  signer: isSigner,
  writable: isWritable,
})

const lookupFact = ({ tableKey, writableIndexes, readonlyIndexes }: SolanaLookup): Fact => ({
  address_table_key: tableKey,
  writable_indexes: writableIndexes.map(BigInt),
  readonly_indexes: readonlyIndexes.map(BigInt),
})
