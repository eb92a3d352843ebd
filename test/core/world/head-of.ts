import type { EventStore } from '../../../core/ports/event-store.ts'
import type { Digest } from '../../../core/ports/digest.ts'
import { hashOf } from '../../../core/log/chain.ts'
import { right } from './world.ts'

/** The end of a log, as an erasure names it. */
export const headOf = async (
  store: Pick<EventStore, 'head'>,
  digest: Digest,
  organizationId: string,
): Promise<{ readonly sequence: string; readonly hash: string }> => {
  const end = right(await store.head(organizationId)())
  if (end === undefined) throw new Error('the log has no events')
  return { sequence: String(end.sequence), hash: hashOf(digest, end.line) }
}
