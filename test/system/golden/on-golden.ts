import type { Engine } from '../../../core/engine.ts'
import { createEngine } from '../../../core/create-engine.ts'
import type { Operation } from '../../../core/definition/operation.ts'
import type { Resource } from '../../../core/definition/resource.ts'
import { importTranscript } from '../../../core/log/import-transcript.ts'
import { readTranscript } from '../../../core/log/transcript-reader.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { stampedRequest } from '../../../adapters/signatures/stamped-request.ts'
import { testPorts } from '../../core/world/ports.ts'
import { withHost } from '../../core/world/with-host.ts'
import { right, testClock } from '../../core/world/world.ts'
import { keyOf, type GoldenLog } from './golden.ts'

/** A time after the end of every golden log. */
export const NOW = '2026-06-01T00:00:00.000Z'

export const imported = async ({ text }: Pick<GoldenLog, 'text'>, storage: Storage): Promise<void> => {
  const digest = nodeDigest()
  right(
    await importTranscript({ store: storage.store, digest, ids: nodeIds() }, () => readTranscript(digest, [text]))(),
  )
}

/** An engine on a golden log, at a time after its end. */
export const engineOn = (
  store: Storage,
  operations: readonly Operation[],
  more: readonly Resource[] = [],
): Promise<Engine> =>
  createEngine({
    store,
    clock: testClock(Date.parse(NOW)),
    ...testPorts(),
    resources: [...withHost(operations), ...more],
  })

/** Submits an activity in each organization of a golden log, by its root user. */
export const goOn = async (
  engine: Engine,
  facts: GoldenLog['facts'],
  path: string,
  type: string,
  parameters: object,
): Promise<void> => {
  for (const { organizationId } of facts.roots) {
    const body = { type, timestampMs: String(Date.parse(NOW)), organizationId, parameters: { ...parameters } }
    right(await engine.submit(path, stampedRequest(keyOf(facts, organizationId), body))())
  }
}
