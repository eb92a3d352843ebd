/*
 * A host with an operation of its own, which logs everything that it is told: requests, notices, spans and numbers. It is
 * started with its options on standard input, where no process list shows them.
 */
import { text } from 'node:stream/consumers'
import { createEngine } from '../../../core/create-engine.ts'
import { systemClock } from '../../../adapters/clock/system-clock.ts'
import { logNotice, logRequest, openLog } from '../../../adapters/cli/open-log.ts'
import { httpServer } from '../../../adapters/http/index.ts'
import { prometheus } from '../../../adapters/telemetry/index.ts'
import { testKeyring } from '../../core/world/keyring.ts'
import { sandboxPorts, testPorts } from '../../core/world/ports.ts'
import { withHost } from '../../core/world/with-host.ts'
import { right } from '../../core/world/world.ts'
import { openCanaries, type StoreOfCanaries } from './canary-place.ts'
import { payOut, type Account } from './pay-out.ts'
import { traced } from './traced.ts'

export type HostOptions = {
  readonly store: StoreOfCanaries
  readonly account: Account
  /** The request that begins the organization, its body in base64. */
  readonly genesis: { readonly stamp: string; readonly body: string }
}

const log = openLog('trace')
const numbers = prometheus()

const main = async ({ store, account, genesis }: HostOptions): Promise<void> => {
  const storage = await openCanaries(store)
  const keyring = testKeyring(storage)
  const engine = await createEngine({
    store: storage,
    ports: { keyring, ...sandboxPorts() },
    ...testPorts(),
    clock: systemClock(),
    resources: withHost([payOut(account)]),
    telemetry: traced(numbers.telemetry, log),
    onNotice: logNotice(log),
    tuning: { snapshotEvery: 20, waitForEffectsMs: 2000 },
  })
  const body = Buffer.from(genesis.body, 'base64')
  right(await engine.createOrganization({ headers: { 'x-stamp': genesis.stamp }, body, address: null })())
  const server = httpServer(engine, { onRequest: logRequest(log), metrics: numbers.text })
  const { url } = await server.listen()
  process.stdout.write(`listening on ${url}\n`)
  process.once('SIGTERM', () => {
    log.info({ title: process.title, numbers: numbers.text() }, 'stopping')
    void server
      .close()
      .then(() => engine.close())
      .then(() => keyring.close())
  })
}

await main(JSON.parse(await text(process.stdin)) as HostOptions) // from the test
