import type { RLPInput } from 'micro-eth-signer/core/rlp.js'
import { transactionHex } from './ethereum-account.ts'

/*
 * Transactions of Tempo that tests make.
 */

export const TO = `0x${'ab'.repeat(20)}` as const
export const TOKEN = `0x20c0${'00'.repeat(17)}01` as const

/** The members of a transaction, in order. */
export const members: readonly RLPInput[] = [
  42_431n,
  2n,
  9n,
  21_000n,
  [
    [TO, 0n, '0x1234567890'],
    ['0x', 0n, '0x'],
  ],
  [],
  0n,
  7n,
  200n,
  100n,
  TOKEN,
  '0x',
  [],
]
export const hexOf = (list: readonly RLPInput[] = members): string => transactionHex(0x76, [...list])
