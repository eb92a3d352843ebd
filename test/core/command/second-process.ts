import { intlTimeZones } from '../../../adapters/time-zones/intl-time-zones.ts'
import { simpleWebAuthn } from '../../../adapters/attestations/attestations.ts'
import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { createEngine } from '../../../core/create-engine.ts'
import type { Engine, EngineOptions } from '../../../core/engine.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import type { World } from '../world/world.ts'
import { testSignatures } from '../world/signatures.ts'

/** Another engine on a world's storage, as another process would have it: it remembers nothing. */
export const secondProcess = (
  { storage, clock }: Pick<EngineOptions, 'clock'> & Pick<World, 'storage'>,
  options: Partial<EngineOptions> = {},
): Promise<Engine> =>
  createEngine({
    store: storage,
    clock,
    ids: nodeIds(),
    signatures: testSignatures(),
    attestations: simpleWebAuthn({ digest: nodeDigest() }),
    timeZones: intlTimeZones(),
    resources: publicApi,
    ...options,
  })
