import { createEngine } from '../../core/create-engine.ts'
import type { Engine, EngineOptions } from '../../core/engine.ts'
import { Failure } from '../../core/failure.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { engineContainer, engineOptions } from '../container.ts'
import { close } from './open-store.ts'
import { stopOf } from './stop.ts'

/** An engine on the store, which it closes when it closes. */
export const startEngine = async (
  storage: Storage,
  told: Pick<EngineOptions, 'onNotice' | 'telemetry' | 'queriesMustBeFresh'>,
): Promise<Engine> => {
  try {
    return await createEngine({ ...engineOptions(engineContainer(storage)), ...told })
  } catch (error) {
    await close(storage)
    throw Failure.is(error) ? stopOf(error) : error
  }
}
