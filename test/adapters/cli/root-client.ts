import { stampedRequest } from '../../../adapters/signatures/stamped-request.ts'
import { signingKey } from '../../../adapters/signatures/signer.ts'
import { right } from '../../../adapters/testing/expect.ts'
import type { Json } from '../../../core/failure.ts'
import { json } from './run-cli.ts'

export type Answered = {
  readonly status: number
  readonly body: { readonly [member: string]: unknown }
  readonly retryAfter: string | null
}

/** Whoever holds a credentials file, over HTTP: many requests sooner than the command could make them. */
export type RootClient = {
  readonly submit: (path: string, parameters: Json) => Promise<Answered>
  readonly query: (path: string, members?: { readonly [member: string]: Json }, url?: string) => Promise<Answered>
  /** A submit that can be sent more than once, and to another server. */
  readonly stamped: (
    path: string,
    parameters: Json,
    version?: string,
  ) => { readonly send: (url?: string) => Promise<Answered> }
}

/** @param server  the URL of the server, if not the one in the file */
export const rootClient = async (file: string, server?: string): Promise<RootClient> => {
  const { baseUrl, organizationId, apiPrivateKey } = json(file)
  const key = await right(async () => signingKey('API_KEY_CURVE_P256', String(apiPrivateKey)))
  const organization = String(organizationId)
  let asked = 0

  const post = (route: string, members: { readonly [member: string]: Json }) => {
    const { headers, body } = stampedRequest(key, { organizationId: organization, ...members })
    const stamp = String(headers['x-stamp'])
    return async (url = server ?? String(baseUrl)): Promise<Answered> => {
      const answer = await fetch(`${url}/public/v1/${route}`, {
        method: 'POST',
        headers: { 'x-stamp': stamp },
        body: new Uint8Array(body),
      })
      const answered = (await answer.json()) as Answered['body'] // every answer is an object
      return { status: answer.status, body: answered, retryAfter: answer.headers.get('retry-after') }
    }
  }
  const stamped: RootClient['stamped'] = (path, parameters, version = '') => {
    const type = `ACTIVITY_TYPE_${path.toUpperCase()}${version}`
    return {
      send: post(`submit/${path}`, {
        type,
        timestampMs: String((asked = Math.max(asked + 1, Date.now()))),
        parameters,
      }),
    }
  }
  return {
    submit: (path, parameters) => stamped(path, parameters).send(),
    query: (path, members = {}, url) => post(`query/${path}`, members)(url),
    stamped,
  }
}
