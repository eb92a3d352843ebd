import type * as Kit from '@solana/kit'
import { equal } from '../bytes.ts'
import type { Failure } from '../failure.ts'
import { E } from '../prelude.ts'
import { invalidTransaction, unsupportedTransaction } from './transaction.ts'

/** The part of the package `@solana/kit` that reads and writes transactions. */
export type SolanaCodecs = Pick<
  typeof Kit,
  | 'getCompiledTransactionMessageDecoder'
  | 'getCompiledTransactionMessageEncoder'
  | 'getTransactionDecoder'
  | 'getTransactionEncoder'
>

/** A message that validators would begin to run. */
export type SolanaMessage = {
  /** The keys that the message itself has, in base58. */
  readonly keys: readonly string[]
  /** How many of the first keys have to sign. */
  readonly signerCount: number
  readonly instructions: readonly SolanaInstruction[]
  readonly lookups: readonly SolanaLookup[]
  readonly blockhash: string
}

export type SolanaInstruction = {
  readonly programKey: string
  readonly accounts: readonly SolanaAccount[]
  readonly data: Uint8Array
}

export type SolanaAccount = {
  /** `ADDRESS_TABLE_LOOKUP` for an account whose key only a table on the chain knows. */
  readonly key: string
  readonly isSigner: boolean
  readonly isWritable: boolean
  /** The lookup that loads it. */
  readonly lookup: SolanaLookup | undefined
}

export type SolanaLookup = {
  readonly tableKey: string
  readonly writableIndexes: readonly number[]
  readonly readonlyIndexes: readonly number[]
}

/** What stands for the key of an account behind a lookup table. */
const LOOKED_UP = 'ADDRESS_TABLE_LOOKUP'

/** Instructions name accounts by one byte. */
const ACCOUNTS_MAX = 256

/**
 * Reads the message of a transaction. The rules are those by which a validator refuses a transaction before it looks at any account.
 *
 * @param bytes  the whole transaction: signatures and message
 */
export const readSolanaMessage = (codecs: SolanaCodecs, bytes: Uint8Array): E.Either<Failure, SolanaMessage> => {
  const decoded = decode(codecs, bytes)
  if (decoded === undefined) return invalidTransaction('a Solana transaction, written in its shortest form')
  const { keys, lookups } = decoded
  if (!hasFittingHeader(decoded)) return invalidTransaction('a header that fits the keys of the accounts')
  if (new Set(keys).size < keys.length) return invalidTransaction('the key of each account once')
  const accounts = accountsOf(decoded)
  if (lookups.some((lookup) => lookup.writableIndexes.length + lookup.readonlyIndexes.length === 0))
    return invalidTransaction('an account from each lookup table')
  if (accounts.length > ACCOUNTS_MAX) return invalidTransaction(`at most ${ACCOUNTS_MAX} accounts`)
  const instructions: SolanaInstruction[] = []
  for (const { programAddressIndex: program, accountIndices = [], data } of decoded.instructions) {
    if (program >= keys.length && program < accounts.length)
      return unsupportedTransaction('Solana transactions with a program from a lookup table')
    const programKey = keys[program]
    const used = accountIndices.flatMap((index) => accounts[index] ?? [])
    // The first account pays the fee: no program can.
    if (programKey === undefined || program === 0 || used.length < accountIndices.length)
      return invalidTransaction('instructions whose program and accounts are there')
    instructions.push({ programKey, accounts: used, data: new Uint8Array(data ?? []) })
  }
  return E.right({
    keys,
    signerCount: decoded.header.numSignerAccounts,
    instructions,
    lookups,
    blockhash: decoded.blockhash,
  })
}

type Decoded = {
  readonly header: {
    readonly numSignerAccounts: number
    readonly numReadonlySignerAccounts: number
    readonly numReadonlyNonSignerAccounts: number
  }
  readonly keys: readonly string[]
  readonly instructions: readonly {
    readonly programAddressIndex: number
    readonly accountIndices?: readonly number[]
    readonly data?: ArrayLike<number>
  }[]
  readonly lookups: readonly SolanaLookup[]
  readonly blockhash: string
}

/** The message, if both it and the transaction around it are written to the same bytes again. */
const decode = (codecs: SolanaCodecs, bytes: Uint8Array): Decoded | undefined => {
  try {
    const transaction = codecs.getTransactionDecoder().decode(bytes)
    const { messageBytes } = transaction
    const message = codecs.getCompiledTransactionMessageDecoder().decode(messageBytes)
    if (message.version === 1) return undefined
    const again = codecs.getCompiledTransactionMessageEncoder().encode(message)
    const whole = codecs.getTransactionEncoder().encode(transaction)
    if (!equal(new Uint8Array(again), new Uint8Array(messageBytes)) || !equal(new Uint8Array(whole), bytes))
      return undefined
    const tables = message.version === 0 ? (message.addressTableLookups ?? []) : []
    return {
      header: message.header,
      keys: message.staticAccounts,
      instructions: message.instructions,
      lookups: tables.map(({ lookupTableAddress: tableKey, writableIndexes, readonlyIndexes }) => ({
        tableKey,
        writableIndexes,
        readonlyIndexes,
      })),
      blockhash: message.lifetimeToken,
    }
  } catch {
    return undefined // the package throws for whatever it cannot read
  }
}

/** The first account has to sign and to be writable, because it pays. */
const hasFittingHeader = ({ header, keys }: Decoded): boolean =>
  header.numSignerAccounts + header.numReadonlyNonSignerAccounts <= keys.length &&
  header.numReadonlySignerAccounts < header.numSignerAccounts

/** All accounts in the order of their indexes: the message's own, then the writable ones of all tables, then the others of all tables. */
const accountsOf = ({ header, keys, lookups }: Decoded): readonly SolanaAccount[] => {
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = header
  const own = keys.map((key, index) => {
    const isSigner = index < numSignerAccounts
    const writableEnd = isSigner
      ? numSignerAccounts - numReadonlySignerAccounts
      : keys.length - numReadonlyNonSignerAccounts
    return { key, isSigner, isWritable: index < writableEnd, lookup: undefined }
  })
  const loaded = (isWritable: boolean): readonly SolanaAccount[] =>
    lookups.flatMap((lookup) =>
      (isWritable ? lookup.writableIndexes : lookup.readonlyIndexes).map(() => ({
        key: LOOKED_UP,
        isSigner: false,
        isWritable,
        lookup,
      })),
    )
  return [...own, ...loaded(true), ...loaded(false)]
}
