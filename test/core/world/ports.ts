import { simpleWebAuthn } from '../../../adapters/attestations/attestations.ts'
import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { nodeSignatures } from '../../../adapters/signatures/node-signatures.ts'
import { intlTimeZones } from '../../../adapters/time-zones/intl-time-zones.ts'
import { counted } from './under-way.ts'

/** What engines of tests have beside a store and a clock. */
export const testPorts = () => ({
  signatures: counted(nodeSignatures()),
  attestations: counted(simpleWebAuthn({ digest: nodeDigest() })),
  timeZones: intlTimeZones(),
  ids: nodeIds(),
})
