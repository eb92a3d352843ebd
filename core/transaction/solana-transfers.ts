import type { Failure } from '../failure.ts'
import { E } from '../prelude.ts'
import type { SolanaInstruction } from './solana-message.ts'
import { invalidTransaction } from './transaction.ts'

/** A transfer of lamports, as policies see it. */
export type SolanaTransfer = { readonly from: string; readonly to: string; readonly amount: bigint }

/** A transfer of tokens. `from` and `to` are token accounts, and not the wallets that own them. */
export type SplTransfer = SolanaTransfer & {
  readonly owner: string
  /** Who signs for an owner that is a multisig. */
  readonly signers: readonly string[]
  readonly token_mint?: string
}

export type SolanaTransfers = {
  readonly transfers: readonly SolanaTransfer[]
  readonly splTransfers: readonly SplTransfer[]
}

/**
 * The transfers among instructions, in their order. The programs read over what follows the data and the accounts of a transfer, so these
 * functions do, too: a transfer with something behind it is one. So are those in a batch of the token program, which is one instruction.
 *
 * @returns a failure for a transfer that ends too early: it would not run
 */
export const transfersOf = (instructions: readonly SolanaInstruction[]): E.Either<Failure, SolanaTransfers> => {
  const transfers: SolanaTransfer[] = []
  const splTransfers: SplTransfer[] = []
  for (const instruction of instructions) {
    const parts = isTokenBatch(instruction) ? batched(instruction) : [instruction]
    if (parts === undefined) return invalidTransaction('batches of whole token instructions')
    for (const part of parts) {
      const layout = layoutOf(part)
      if (layout === undefined) continue
      const transfer = read(layout, part)
      if (transfer === undefined) return invalidTransaction('transfers with all of their data and accounts')
      if (layout.owner === undefined) transfers.push(transfer)
      else splTransfers.push({ ...transfer, ...tokenMembers(layout.owner, layout.mint, part) })
    }
  }
  return E.right({ transfers, splTransfers })
}

const SYSTEM = '11111111111111111111111111111111'
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'

/** Where a kind of transfer has its parts: its accounts by their places. */
type Layout = {
  readonly amountAt: number
  /** The bytes of its data. */
  readonly length: number
  readonly to: number
  /** Of tokens: who owns the account from which they go. */
  readonly owner?: number
  readonly mint?: number
}

const transfer: Layout = { amountAt: 4, length: 12, to: 1 }
/** From an account that is derived from the second one, which signs. Behind the amount stand seed and owner, which have any length. */
const transferWithSeed: Layout = { amountAt: 4, length: 12, to: 2 }
const tokenTransfer: Layout = { amountAt: 1, length: 9, to: 1, owner: 2 }
const transferChecked: Layout = { amountAt: 1, length: 10, mint: 1, to: 2, owner: 3 }
const transferCheckedWithFee: Layout = { amountAt: 2, length: 19, mint: 1, to: 2, owner: 3 }

const layoutOf = ({ programKey, data }: SolanaInstruction): Layout | undefined => {
  if (programKey === SYSTEM) {
    if (data.length < 4 || data[1] !== 0 || data[2] !== 0 || data[3] !== 0) return undefined
    return data[0] === 2 ? transfer : data[0] === 11 ? transferWithSeed : undefined
  }
  if (!isTokenProgram(programKey)) return undefined
  if (data[0] === 3) return tokenTransfer
  if (data[0] === 12) return transferChecked
  return data[0] === 26 && data[1] === 1 ? transferCheckedWithFee : undefined
}

const isTokenProgram = (programKey: string): boolean => programKey === TOKEN || programKey === TOKEN_2022

const BATCH = 255
const isTokenBatch = ({ programKey, data }: SolanaInstruction): boolean =>
  isTokenProgram(programKey) && data[0] === BATCH

/**
 * The instructions of a batch: each has the number of its accounts, the length of its data, and its data; the accounts stand in one row.
 *
 * @returns `undefined` for a batch that would not run: one that ends too early, or has no instruction, an empty one, or another batch
 */
const batched = ({ programKey, accounts, data }: SolanaInstruction): readonly SolanaInstruction[] | undefined => {
  const parts: SolanaInstruction[] = []
  let [at, account] = [1, 0]
  do {
    const [count, length] = [data[at], data[at + 1]]
    if (count === undefined || length === undefined) return undefined
    const part = {
      programKey,
      accounts: accounts.slice(account, account + count),
      data: data.subarray(at + 2, at + 2 + length),
    }
    if (length === 0 || part.data.length < length || part.accounts.length < count || isTokenBatch(part))
      return undefined
    parts.push(part)
    account += count
    at += 2 + length
  } while (at < data.length)
  return parts
}

const read = (layout: Layout, { accounts, data }: SolanaInstruction): SolanaTransfer | undefined => {
  const [from, to] = [accounts[0], accounts[layout.to]]
  if (data.length < layout.length || from === undefined || to === undefined) return undefined
  if (accounts.length <= (layout.owner ?? 0)) return undefined
  const amount = new DataView(data.buffer, data.byteOffset).getBigUint64(layout.amountAt, true)
  return { from: from.key, to: to.key, amount }
}

const tokenMembers = (
  owner: number,
  mint: number | undefined,
  { accounts }: SolanaInstruction,
): Pick<SplTransfer, 'owner' | 'signers' | 'token_mint'> => ({
  owner: accounts[owner]?.key ?? '', // `read` has found it
  // A hook of a mint takes accounts there, too, which do not sign.
  signers: accounts.slice(owner + 1).flatMap(({ key, isSigner }) => (isSigner ? [key] : [])),
  ...(mint === undefined ? {} : { token_mint: accounts[mint]?.key ?? '' }),
})
