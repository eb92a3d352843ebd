import { parseBitcoin } from './bitcoin.ts'
import { parseEthereum } from './ethereum.ts'
import { parseSolana } from './solana.ts'
import { parseTempo } from './tempo.ts'
import type { ParseTransaction } from './transaction.ts'
import { parseTron } from './tron.ts'

type Chain = {
  readonly parse: ParseTransaction
  /** The keyword of policies that has the transaction as `tx`. */
  readonly keyword: string
  /** The interfaces that say what its contracts are called with. */
  readonly interfaces?: 'SMART_CONTRACT_INTERFACE_TYPE_ETHEREUM' | 'SMART_CONTRACT_INTERFACE_TYPE_SOLANA'
}

export const transactionTypes = [
  'TRANSACTION_TYPE_ETHEREUM',
  'TRANSACTION_TYPE_SOLANA',
  'TRANSACTION_TYPE_TRON',
  'TRANSACTION_TYPE_BITCOIN',
  'TRANSACTION_TYPE_TEMPO',
] as const
export type TransactionType = (typeof transactionTypes)[number]

/** The chains whose transactions are signed, by the types of the wire. */
export const chains: Readonly<Record<TransactionType, Chain>> = {
  TRANSACTION_TYPE_ETHEREUM: {
    parse: parseEthereum,
    keyword: 'eth',
    interfaces: 'SMART_CONTRACT_INTERFACE_TYPE_ETHEREUM',
  },
  TRANSACTION_TYPE_SOLANA: {
    parse: parseSolana,
    keyword: 'solana',
    interfaces: 'SMART_CONTRACT_INTERFACE_TYPE_SOLANA',
  },
  TRANSACTION_TYPE_TRON: { parse: parseTron, keyword: 'tron' },
  TRANSACTION_TYPE_BITCOIN: { parse: parseBitcoin, keyword: 'bitcoin' },
  TRANSACTION_TYPE_TEMPO: { parse: parseTempo, keyword: 'tempo' },
}
