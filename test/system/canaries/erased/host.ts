import { pino } from 'pino'
import { createEngine } from '../../../../core/create-engine.ts'
import type { Services } from '../../../../core/definition/port.ts'
import type { Engine } from '../../../../core/engine.ts'
import type { Storage } from '../../../../core/ports/storage.ts'
import { erasure } from '../../../../core/resources/erasure/erasure.ts'
import { publicApi } from '../../../../core/resources/public-api.ts'
import { webhookOperations } from '../../../../core/resources/webhook-endpoint/webhook-operations.ts'
import { systemClock } from '../../../../adapters/clock/system-clock.ts'
import { logNotice, logRequest } from '../../../../adapters/cli/open-log.ts'
import { httpServer } from '../../../../adapters/http/index.ts'
import type { NodeKeyring } from '../../../../adapters/keyring/node-keyring.ts'
import { openSqliteStore } from '../../../../adapters/store-sqlite/open.ts'
import { prometheus } from '../../../../adapters/telemetry/index.ts'
import { PATIENT } from '../../../adapters/http/transport.ts'
import { testKeyring } from '../../../core/world/keyring.ts'
import { sandboxPorts, testPorts } from '../../../core/world/ports.ts'
import { right } from '../../../core/world/world.ts'
import { traced } from '../traced.ts'

export const resources = [...publicApi, ...erasure, ...webhookOperations]

/** A server with a store on a disk, and all that it says. */
export type ErasedHost = {
  readonly url: string
  readonly engine: Engine
  readonly storage: Storage
  readonly close: () => Promise<void>
}

/**
 * @param say  is told each line of the log, with all spans in it, and at the end the metrics
 * @param keyringOf  makes the keyring, which the host closes; undefined where it has none
 * @param post  sends mails and short messages
 */
export const openErasedHost = async (
  path: string,
  say: (text: string) => void,
  keyringOf: (storage: Storage) => NodeKeyring | undefined = testKeyring,
  post: Services = sandboxPorts(),
): Promise<ErasedHost> => {
  const log = pino({ level: 'trace' }, { write: say })
  const numbers = prometheus()
  const storage = right(await openSqliteStore({ path })())
  const keyring = keyringOf(storage)
  const engine = await createEngine({
    store: storage,
    ports: { keyring, ...post },
    ...testPorts(),
    clock: systemClock(),
    resources,
    telemetry: traced(numbers.telemetry, log),
    onNotice: logNotice(log),
    tuning: { snapshotEvery: 3 },
  })
  const server = httpServer(engine, {
    ...PATIENT,
    onRequest: logRequest(log),
    metrics: numbers.text,
    trustedProxies: ['127.0.0.0/8', '::1'],
  })
  const { url } = await server.listen()
  let isOpen = true
  return {
    url,
    engine,
    storage,
    close: async () => {
      if (!isOpen) return
      isOpen = false
      say(numbers.text()) // as GET /metrics answers
      await server.close()
      await engine.close()
      await keyring?.close()
    },
  }
}
