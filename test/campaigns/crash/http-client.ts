import { Agent, request } from 'node:http'
import type { Json } from '../../../core/failure.ts'
import type { Sent } from './journal.ts'

export type Response = { readonly status: number; readonly json: Json }

export type HttpClient = {
  readonly name: string
  /** Undefined where no whole answer came. */
  readonly send: (
    url: string,
    sent: Pick<Sent, 'kind' | 'path' | 'body' | 'stamp'> & Partial<Pick<Sent, 'header'>>,
  ) => Promise<Response | undefined>
  readonly close: () => void
}

/** A caller with one connection to each server, which it keeps. */
export const httpClient = (name: string): HttpClient => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    name,
    send: (url, { kind, path, body, header = 'x-stamp', stamp }) =>
      new Promise((resolve) => {
        const route = `${url}/public/v1/${kind === 'query' ? 'query' : 'submit'}/${path}`
        const call = request(route, {
          method: 'POST',
          agent,
          headers: { [header]: stamp, 'content-length': body.length },
        })
        call.on('error', () => resolve(undefined))
        call.on('response', (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', () => resolve(undefined))
          response.on('close', () => {
            if (!response.complete) return resolve(undefined)
            const text = Buffer.concat(chunks).toString()
            resolve({ status: response.statusCode ?? 0, json: JSON.parse(text) as Json }) // every answer is JSON
          })
        })
        call.end(body)
      }),
    close: () => agent.destroy(),
  }
}
