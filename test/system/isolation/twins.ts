import { decodeEvent } from '../../../core/log/event.ts'
import { standingAfter } from '../../../core/log/standing.ts'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { decodeUtf8, encodeUtf8 } from '../../../core/bytes.ts'
import { importTranscript } from '../../../core/log/import-transcript.ts'
import { readTranscript } from '../../../core/log/transcript-reader.ts'
import type { EventStore } from '../../../core/ports/event-store.ts'
import { draftsOf, forged, type Draft } from '../../core/audit/forgery.ts'
import { digest, exported } from '../../core/audit/logs.ts'
import { right } from '../../core/world/world.ts'

/**
 * Writes a twin of the only organization in a store beside it: the ids of all that it has are the same, and so are the keys
 * of its users; only its own id, and the names, are others. No engine makes such a log, but one can be imported.
 *
 * @param renamed  what each name is in the twin
 * @returns the id of the twin
 */
export const addTwin = async (store: EventStore, organizationId: string, renamed: ReadonlyMap<string, string>) => {
  const twinId = nodeIds().uuid()
  const changes = [[organizationId, twinId] as const, ...renamed]
  const changed = (text: string): string => changes.reduce((was, [from, to]) => was.replaceAll(from, to), text)
  const drafts = draftsOf(await exported(store)).map(({ event, request, others = [] }): Draft => ({
    event: { ...(JSON.parse(changed(JSON.stringify(event))) as Draft['event']), id: nodeIds().eventId() }, // a draft, still
    request: request && { ...request, body: changed(request.body) },
    others: others.map(({ bytes, ...part }) => ({ ...part, bytes: encodeUtf8(changed(decodeUtf8(bytes) ?? '')) })),
  }))
  const { store: apart } = memoryStore()
  const text = encodeUtf8(forged(drafts))
  right(await importTranscript({ store: apart, digest, ids: nodeIds() }, () => readTranscript(digest, [text]))())
  const events = right(await apart.readLog(twinId, 0n, 100_000)()).map((recorded) => ({
    ...recorded,
    standing: standingAfter(right(decodeEvent(recorded.line))),
  }))
  right(await store.append([{ organization: twinId, expected: 'none', events, checks: [] }])())
  return twinId
}
