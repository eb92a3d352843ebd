import { createEngine } from '../../../core/create-engine.ts'
import type { Engine, EngineOptions } from '../../../core/engine.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import type { World } from '../world/world.ts'
import { tuned, type TestOptions } from '../world/tuned.ts'
import { testPorts } from '../world/ports.ts'

/** Another engine on a world's storage, as another process would have it: it remembers nothing. */
export const secondProcess = (
  { storage, clock }: Pick<EngineOptions, 'clock'> & Pick<World, 'storage'>,
  options: TestOptions = {},
): Promise<Engine> =>
  createEngine({
    store: storage,
    clock,
    ...testPorts(),
    resources: publicApi,
    ...tuned(options),
  })
