import { oncePer } from '../collections/once-per.ts'
import { failure, type Failure } from '../failure.ts'
import { hashOf } from '../log/chain.ts'
import type { Digest } from '../ports/digest.ts'
import type { EventStore, Head } from '../ports/event-store.ts'
import { E } from '../prelude.ts'
import type { Cell } from './cell.ts'
import type { Folding } from './folding.ts'
import { heads } from './heads.ts'

/** Compares organizations in memory with the store, and brings them up to it. */
export type Freshness = {
  /** The organization's cell, with everything that was durable before the call. */
  readonly fresh: (organizationId: string) => Promise<E.Either<Failure, Cell>>
  /** Whether the cell has everything that was durable before the call. If not, it is replaced or dropped. */
  readonly isLatest: (cell: Cell) => Promise<E.Either<Failure, boolean>>
}

export type FreshnessPorts = {
  readonly store: EventStore
  readonly digest: Digest
  readonly folding: Pick<Folding, 'behind' | 'absorb'>
  readonly load: (organizationId: string) => Promise<E.Either<Failure, Cell>>
  /** The cell took the place of another one, because these activities have new events. */
  readonly onCaughtUp: (from: Cell, to: Cell, activities: ReadonlySet<string>) => void
  /** The store does not have any more what was durable in the cell. */
  readonly onWentBack: (cell: Cell) => void
}

/** How often a cell is compared with a log that does not stand still. */
const TRIES_MAX = 16

export const freshness = ({ store, digest, folding, load, onCaughtUp, onWentBack }: FreshnessPorts): Freshness => {
  const headOf = heads(store)
  const headHash = oncePer(({ line }: Head) => hashOf(digest, line))
  /** Cells that are being brought up to the store. */
  const underWay = new Map<Cell, Promise<E.Either<Failure, void>>>()

  /** Whether a log that ends with the head can have what was durable before the head was read. */
  const canHave = (durable: Cell['durable'], head: Head | undefined): boolean => {
    if (head === undefined) return durable.sequence === 0n
    return head.sequence > durable.sequence || (head.sequence === durable.sequence && headHash(head) === durable.hash)
  }

  /** The sequence that the cell lacks; `undefined` if it lacks nothing. */
  const lacking = async (cell: Cell): Promise<E.Either<Failure, bigint | undefined>> => {
    const { durable } = cell
    const head = await headOf.read(cell.organizationId)
    if (E.isLeft(head)) return head
    if (!canHave(durable, head.right)) {
      onWentBack(cell)
      return E.right(0n)
    }
    const { sequence } = head.right ?? { sequence: 0n }
    // What is pending may stand at the same sequence as an event of another process. Whose event it is, the lane finds out.
    if (sequence <= cell.tip.sequence && (await cell.durableTo(sequence))) return E.right(undefined)
    // Of what is pending in front of other's events, nobody knows yet whether it was stored: its commands will find out.
    if (!isClean(cell)) cell.drop()
    const caughtUp = await catchUp(cell)
    return E.isLeft(caughtUp) ? caughtUp : E.right(sequence)
  }

  const catchUp = async (cell: Cell): Promise<E.Either<Failure, void>> => {
    const begun = underWay.get(cell) ?? absorbed(cell).finally(() => underWay.delete(cell))
    underWay.set(cell, begun)
    return begun
  }

  /** Reads what others have appended. What became pending meanwhile will be refused by the store, so the cell is dropped then. */
  const absorbed = async (cell: Cell): Promise<E.Either<Failure, void>> => {
    if (cell.isDropped) return E.right(undefined)
    const { sequence } = cell.durable
    const behind = await folding.behind(cell)
    if (E.isLeft(behind)) {
      if (behind.left.code !== 'ORGANIZATION_CLOSED') return behind
      cell.drop() // the fold of the log tells why
      return E.right(undefined)
    }
    const { reads, continues, isErased } = behind.right
    if (cell.isDropped || !isClean(cell) || cell.durable.sequence !== sequence) return E.right(undefined)
    if (!continues) onWentBack(cell)
    else if (isErased) cell.drop()
    else if (reads.length > 0) {
      const next = cell.succeeded()
      onCaughtUp(cell, next, new Set(reads.map(({ event }) => event.activity)))
      for (const read of reads) if (!next.isDropped && E.isLeft(folding.absorb(next, read))) next.drop()
    }
    return E.right(undefined)
  }

  return {
    fresh: async (organizationId) => {
      let wanted: bigint | undefined
      for (let tries = 0; tries < TRIES_MAX; tries += 1) {
        const loaded = await load(organizationId)
        if (E.isLeft(loaded) || store.capabilities.soleWriter) return loaded
        const { durable } = loaded.right
        if (wanted !== undefined && wanted > 0n && durable.sequence >= wanted) return loaded
        const found = await lacking(loaded.right)
        if (E.isLeft(found)) return found
        if (found.right === undefined) return loaded
        wanted = found.right
      }
      return E.left(keptChanging)
    },
    isLatest: async (cell) => {
      if (store.capabilities.soleWriter) return E.right(true)
      return E.map((found: bigint | undefined) => found === undefined)(await lacking(cell))
    },
  }
}

/** Whether nothing of the cell waits for the store. */
const isClean = ({ tip, durable, pending }: Cell): boolean => pending.size === 0 && tip.sequence === durable.sequence

const keptChanging = failure('UNAVAILABLE', 'other processes kept appending to the log; try again')
