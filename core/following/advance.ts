import { E } from '../prelude.ts'
import type { Page } from './feed.ts'
import { fail, hasMore, movedElsewhere, type Inside } from './inside.ts'

/** One step of a follower: takes the next page, or does what comes before it. */
export const advance = async (on: Inside): Promise<void> => {
  const { holder, events, at, held } = on
  if (on.isLost) return recover(on)
  if (holder.isDue()) await holder.ask()
  if (!holder.isHere()) return goAlong(on)
  if (on.isDoubtful && ((await look(on)) !== false || !hasMore(on))) return
  const page = await events.next(at.checkpoint())
  if (E.isLeft(page)) return fail(on, page.left)
  if (page.right.end === at.checkpoint()) return reached(on)
  if (held.concerns(page.right.entries) && (await look(on)) !== false) return
  return take(on, page.right)
}

const take = async (on: Inside, { entries, end }: Page): Promise<void> => {
  const taken = await on.held.take(entries, on.abort.signal)
  if (on.isOver) return
  if (E.isLeft(taken)) return fail(on, taken.left)
  const { count, cause } = taken.right
  const to = count === entries.length ? end : (entries[count - 1]?.position ?? on.at.checkpoint())
  const kept = await on.keep(on, to, taken.right)
  if (E.isLeft(kept)) {
    on.onStale()
    return fail(on, kept.left)
  }
  reached(on)
  if (kept.right && taken.right.changes.length > 0) on.onStored()
  if (cause !== undefined) fail(on, cause)
}

const reached = (on: Inside): void => {
  on.failed = undefined
  on.events.hear(on.at.checkpoint()) // another process may have stored a later checkpoint
  on.waiting.reach(on.at.checkpoint())
}

/** Reads the checkpoint and what is parked; `undefined` if that fails, otherwise whether another process has moved the checkpoint. */
const look = async (on: Inside): Promise<boolean | undefined> => {
  const before = on.at.checkpoint()
  const isElsewhere = await on.at.reread()
  if (E.isLeft(isElsewhere)) {
    fail(on, isElsewhere.left)
    return undefined
  }
  on.isDoubtful = false
  if (!isElsewhere.right) return false
  movedElsewhere(on, before)
  reached(on)
  return true
}

/** Another process runs this follower: looks how far that one is, as long as somebody waits here. */
const goAlong = async (on: Inside): Promise<void> => {
  const pauseMs = on.holder.look()
  const isElsewhere = await look(on)
  if (isElsewhere === undefined) return
  on.failed = undefined
  on.waiting.reach(on.at.checkpoint())
  const forMs = on.waiting.isEmpty() ? 0 : pauseMs(isElsewhere)
  if (forMs > 0) on.working.rest(forMs)
}

/** Where the store has lost events, what was taken of them has to go. */
const recover = async (on: Inside): Promise<void> => {
  const recovered = await on.at.startOver(on.store.lastPosition())
  if (E.isLeft(recovered)) return fail(on, recovered.left)
  on.isLost = false
  on.events.clear()
  on.onStale()
  reached(on)
  on.onRewound?.()
}
