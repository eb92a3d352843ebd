import { simpleWebAuthn } from '../../../adapters/attestations/attestations.ts'
import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { nodeSignatures } from '../../../adapters/signatures/node-signatures.ts'
import { audit } from '../../../core/audit/audit.ts'
import { foldRecorded } from '../../../core/writing/live-activities.ts'
import type { LiveActivity } from '../../../core/deciding/live-activity.ts'
import type { Failure } from '../../../core/failure.ts'
import { decodeEvent, type Event } from '../../../core/log/event.ts'
import { exportLines, pagesOf } from '../../../core/log/transcript.ts'
import { readTranscript } from '../../../core/log/transcript-reader.ts'
import { catalogue, type Catalogue } from '../../../core/definition/catalogue.ts'
import type { Resource } from '../../../core/definition/resource.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import type { EventStore, Recorded } from '../../../core/ports/event-store.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { E } from '../../../core/prelude.ts'
import { wireTransfers } from '../../../examples/wire-transfer/wire-transfer.ts'

/** What is in a store, read by somebody else than the server. */
export type Found = {
  readonly storage: Storage
  readonly recorded: readonly Recorded[]
  readonly events: readonly Event[]
  readonly activities: ReadonlyMap<string, LiveActivity>
  /** What no engine writes, and what cannot be folded for that reason. */
  readonly impossible: readonly string[]
}

// The same definition, out of the built package: there its types bear other names.
const wire = wireTransfers() as unknown
export const knownOperations: Catalogue = right(catalogue([...publicApi, wire as Resource]))

export const closeStorage = async ({ store, readModels }: Storage): Promise<void> => {
  await readModels.close()
  await store.close()
}

export const readFound = async (storage: Storage): Promise<Found> => {
  const recorded: Recorded[] = []
  for await (const page of pagesOf(storage.store)) recorded.push(...right(page))
  const streams = new Map<string, Recorded[]>()
  for (const one of recorded) {
    const stream = streams.get(one.activity)
    if (stream === undefined) streams.set(one.activity, [one])
    else stream.push(one)
  }
  const activities = new Map<string, LiveActivity>()
  const impossible: string[] = []
  for (const [id, stream] of streams) {
    try {
      const live = right(foldRecorded(knownOperations, stream))
      if (live !== undefined) activities.set(id, live)
    } catch (error) {
      impossible.push(`the log has what no engine writes of activity ${id}: ${String(error)}`)
    }
  }
  const events = recorded.map(({ line }) => right(decodeEvent(line)))
  return { storage, recorded, events, activities, impossible }
}

/** The audit of the log as it would be exported. */
export const auditOf = (store: EventStore): ReturnType<typeof audit> =>
  audit(
    {
      signatures: nodeSignatures(),
      attestations: simpleWebAuthn({ digest: nodeDigest() }),
      ids: nodeIds(),
      catalogue: knownOperations,
    },
    readTranscript(nodeDigest(), exported(store)),
  )

const exported = async function* (store: EventStore): AsyncGenerator<Uint8Array> {
  for await (const chunk of exportLines(nodeDigest(), pagesOf(store))) yield right(chunk)
}

/** What has to succeed. */
export function right<A>(either: E.Either<Failure, A>): A {
  if (E.isRight(either)) return either.right
  throw new Error(`${either.left.code}: ${either.left.message}`)
}
