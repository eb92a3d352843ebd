import { createEngine } from '../../core/create-engine.ts'
import type { Resource } from '../../core/definition/resource.ts'
import type { Engine, EngineOptions } from '../../core/engine.ts'
import { Failure } from '../../core/failure.ts'
import type { Keystore } from '../../core/ports/keystore.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { engineContainer, engineOptions } from '../container.ts'
import { withKeyring } from '../keyring/with-keyring.ts'
import { close } from './open-store.ts'
import { stopOf } from './stop.ts'

type Told = Pick<
  EngineOptions,
  'onNotice' | 'telemetry' | 'queriesMustBeFresh' | 'clockLagMaxMs' | 'publicUrl' | 'ports' | 'webhooks'
> & {
  /** Default: the built-in resources. */
  readonly resources?: readonly Resource[] | undefined
  /** What opens the keys that the store has sealed. */
  readonly keystore?: Keystore | undefined
}

/** Starts an engine on the store. The engine closes the store. */
export const startEngine = async (storage: Storage, { resources, keystore, ...told }: Told): Promise<Engine> => {
  try {
    const parts = engineOptions(engineContainer(storage, resources === undefined ? {} : { resources }))
    return await withKeyring({ storage, keystore, ports: told.ports }, (ports) =>
      createEngine({ ...parts, ...told, ports }),
    )
  } catch (error) {
    await close(storage)
    throw Failure.is(error) ? stopOf(error) : error
  }
}
