/**
 * A payment service in the harness: it outlives the servers, counts what it is asked for, and can pull a trigger. Each server asks below
 * `/<its number>`, so that the trigger finds the one that has asked.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Random } from './random.ts'

export type Payments = {
  readonly url: string
  /** How often each key was asked for. */
  readonly asked: ReadonlyMap<string, number>
  /** What was paid, by key. */
  readonly paid: ReadonlyMap<string, string>
  /** Told before and after each payment, until the next call. */
  readonly watch: (watcher: PaymentWatcher) => void
  readonly close: () => Promise<void>
}

export type PaymentWatcher = {
  readonly onBegun: (server: number) => void
  readonly onDone: (server: number) => void
}

const DELAY_MS = 25
/** One payment of so many takes so long that its lease has to be renewed meanwhile. */
const SLOW_ONE_OF = 12
const SLOW_MS = 900

/** @param hasSlow  whether some payments take long */
export const startPayments = async (random: Random, hasSlow = false): Promise<Payments> => {
  const asked = new Map<string, number>()
  const paid = new Map<string, string>()
  let watcher: PaymentWatcher = { onBegun: () => undefined, onDone: () => undefined }

  const pay = (key: string, server: number, response: ServerResponse): void => {
    const paymentId = paid.get(key) ?? `payment-${paid.size + 1}`
    paid.set(key, paymentId)
    watcher.onDone(server)
    if (response.destroyed) return
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ paymentId }))
  }
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    const key = String(request.headers['idempotency-key'])
    const server = Number(/^\/([0-9]+)\//.exec(request.url ?? '')?.[1])
    request.resume().on('end', () => {
      asked.set(key, (asked.get(key) ?? 0) + 1)
      watcher.onBegun(server)
      const isSlow = hasSlow && random.below(SLOW_ONE_OF) === 0
      setTimeout(() => pay(key, server, response), isSlow ? SLOW_MS : random.below(DELAY_MS))
    })
    response.on('error', () => undefined) // whoever asked was killed
  }

  const server = createServer(take)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens, and not on a pipe
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    paid,
    watch: (next) => (watcher = next),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
