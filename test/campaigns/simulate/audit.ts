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

/**
 * An auditor who gets the log as it would be exported finds nothing, and has verified every stamp.
 *
 * @param lost  organizations that may have begun on what the store has lost: then an audit accuses how they began, and is right
 */
export const checkAudit = async (
  store: EventStore,
  catalogue: Catalogue,
  violate: (violation: Violation) => void,
  lost: ReadonlySet<string>,
): Promise<void> => {
  const report = await audit(
    { signatures: simulatedSignatures, attestations: simulatedAttestations, ids: nodeIds(), catalogue },
    readTranscript(digest, exported(store)),
  )
  for (const { code, message, line, organization = '' } of report.findings)
    if (lost.size === 0 || !(OF_BEGINNINGS.has(code) && (lost.has(organization) || code === 'PERFORMED_DIFFERS')))
      violate({ promise: 'an audit of the log finds nothing', detail: `line ${line}: ${code}: ${message}` })
}

/** What an audit says of a beginning that rests on what is lost, or of one that is lost itself. */
const OF_BEGINNINGS: ReadonlySet<string> = new Set(['GENESIS_INVALID', 'BASIS_DIFFERS', 'PERFORMED_DIFFERS'])

const exported = async function* (store: EventStore): AsyncGenerator<Uint8Array> {
  for await (const chunk of exportLines(digest, pagesOf(store))) yield right(chunk)
}
