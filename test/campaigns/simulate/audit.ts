import { audit } from '../../../core/audit/audit.ts'
import type { Catalogue } from '../../../core/definition/catalogue.ts'
import { exportLines, pagesOf } from '../../../core/log/transcript.ts'
import { readTranscript } from '../../../core/log/transcript-reader.ts'
import type { EventStore } from '../../../core/ports/event-store.ts'
import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { right } from '../../core/world/world.ts'
import type { Violation } from './journal.ts'
import { simulatedAttestations } from './simulated-passkeys.ts'
import { simulatedSignatures } from './simulated-signatures.ts'

const digest = nodeDigest()

/** An auditor who gets the log as it would be exported finds nothing, and has verified every stamp. */
export const checkAudit = async (
  store: EventStore,
  catalogue: Catalogue,
  violate: (violation: Violation) => void,
): Promise<void> => {
  const report = await audit(
    { signatures: simulatedSignatures, attestations: simulatedAttestations, ids: nodeIds(), catalogue },
    readTranscript(digest, exported(store)),
  )
  for (const { code, message, line } of report.findings)
    violate({ promise: 'an audit of the log finds nothing', detail: `line ${line}: ${code}: ${message}` })
}

const exported = async function* (store: EventStore): AsyncGenerator<Uint8Array> {
  for await (const chunk of exportLines(digest, pagesOf(store))) yield right(chunk)
}
