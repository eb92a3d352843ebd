/** A payment service for the example: it pays once per idempotency key, and a test can make it fail or be silent. */
import { createServer, type Server } from 'node:http'

export type PaymentService = {
  readonly url: string
  /** Payments by idempotency key, in order. */
  readonly payments: ReadonlyMap<string, { readonly paymentId: string }>
  /** The number of requests with each key. */
  readonly requests: ReadonlyMap<string, number>
  /** The next `count` requests are answered with 503. */
  readonly failNext: (count: number) => void
  /** The next `count` payments are made, but not answered. */
  readonly loseNext: (count: number) => void
  readonly close: () => Promise<void>
}

export const paymentService = async (): Promise<PaymentService> => {
  const payments = new Map<string, { readonly paymentId: string }>()
  const requests = new Map<string, number>()
  let failures = 0
  let losses = 0
  const server = createServer((request, response) => {
    const key = String(request.headers['idempotency-key'])
    request.resume()
    request.on('end', () => {
      requests.set(key, (requests.get(key) ?? 0) + 1)
      response.setHeader('content-type', 'application/json')
      if (failures > 0) {
        failures -= 1
        response.writeHead(503).end('{}')
        return
      }
      const payment = payments.get(key) ?? { paymentId: `payment-${payments.size + 1}` }
      payments.set(key, payment)
      if (losses > 0) {
        losses -= 1
        return
      }
      response.writeHead(201).end(JSON.stringify(payment))
    })
  })
  const port = await listening(server)
  return {
    url: `http://127.0.0.1:${port}`,
    payments,
    requests,
    failNext: (count) => (failures = count),
    loseNext: (count) => (losses = count),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const listening = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
