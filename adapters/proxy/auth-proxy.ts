import { decode } from '../../core/codec/codec.ts'
import * as t from '../../core/codec/t.ts'
import { failureOf } from '../../core/countersign-error.ts'
import { refuse, refusal, valueOf } from '../../core/definition/refuse.ts'
import { failure, rowOf, type Json } from '../../core/failure.ts'
import { parseStrict, requestJson } from '../../core/json/strict-json.ts'
import { E, type TE } from '../../core/prelude.ts'
import type { Failure } from '../../core/failure.ts'
import type { AnswerReceived } from '../http/bounded-bodies.ts'
import type { ClientAddress } from '../http/client-address.ts'
import { probesOf } from '../http/documents.ts'
import type { Exchange } from '../http/exchange.ts'
import { errorReply, jsonReply, type Reply } from '../http/reply.ts'
import type { Route, Service } from '../http/service.ts'
import type { Api } from './api-client.ts'
import type { Captcha } from './captcha.ts'
import { unknown, type Configuration, type Configurations } from './configurations.ts'
import type { Call, Endpoint } from './endpoint.ts'
import { mustBeAllowed } from './endpoints/auth-methods.ts'
import { placeOf, type Limits } from './limits.ts'
import type { OpenedKey, SealedKey } from './opened-key.ts'
import { forOrigin, isAllowed, originNotAllowed, preflight } from './origins.ts'
import { PassedOn, replyOf } from './passed-on.ts'

export type AuthProxyParts = {
  readonly endpoints: readonly Endpoint<unknown>[]
  readonly configurations: Configurations
  readonly api: Api
  readonly openedKey: (sealed: SealedKey) => OpenedKey
  readonly limits: Limits
  /** Without it, no captcha is admitted for. */
  readonly captcha: Captcha | undefined
  /** Whether callers that are no pages are refused. */
  readonly requireOrigin: boolean
  /** Ends the work of one request when it takes too long. */
  readonly timeLimit: () => AbortSignal
  /** Milliseconds since the epoch. */
  readonly nowMs: () => number
  readonly addressOf: ClientAddress
  /** Reads and bounds bodies. */
  readonly bounded: (exchange: Exchange, answer: AnswerReceived) => Promise<Reply>
  readonly metrics: (() => string) | undefined
}

/**
 * What stands between clients without a key and the API: for each request it finds the configuration, and acts by the one narrow key of it. It keeps
 * nothing of those who sign up and in.
 */
export const authProxy = (parts: AuthProxyParts): Service => {
  const routes = new Map<string, Route>([
    ...probesOf(readiness(parts), parts.metrics),
    ...parts.endpoints.map((endpoint): [string, Route] => [endpoint.path, routeTo(endpoint, parts)]),
  ])
  return {
    routeOf: (path) => routes.get(path),
    noRoute: errorReply(failure('ROUTE_NOT_FOUND', 'no such route; the auth proxy is under /v1')),
  }
}

const readiness =
  ({ api, timeLimit }: AuthProxyParts): TE.TaskEither<Failure, unknown> =>
  async () => {
    try {
      return E.right(await api.mustBeReady(timeLimit()))
    } catch (error) {
      const of = failureOf(error)
      if (of === undefined) throw error
      return E.left(of)
    }
  }

/** The order counts: until its origin is allowed, a page learns at most that an id has no configuration in force, and nobody reads its body. */
const routeTo = (endpoint: Endpoint<unknown>, parts: AuthProxyParts): Route => ({
  methods: ['POST', 'OPTIONS'],
  preflight,
  reply: async (exchange) => {
    const origin = exchange.header('origin')
    const address = parts.addressOf(exchange.connectedAddress(), exchange.header('x-forwarded-for'))
    try {
      const id = idOf(exchange.header('x-auth-proxy-config-id'))
      const configuration = await found(id, address, parts)
      if (!isAllowed(origin, configuration.config.allowedOrigins, parts.requireOrigin)) return originNotAllowed
      await parts.limits.count('address', id, placeOf(address))
      await parts.limits.count('path', id, endpoint.path)
      const admitted: Admitted = { configuration, address, captchaToken: exchange.header('x-captcha-token') }
      if (endpoint.needsCaptcha === 'always') await mustBeSolved(admitted, parts)
      return forOrigin(await parts.bounded(exchange, once(endpoint, admitted, parts)), origin)
    } catch (error) {
      return forOrigin(replyOf(error), origin)
    }
  },
})

type Admitted = {
  readonly configuration: Configuration
  readonly address: string | null
  readonly captchaToken: string | undefined
}

const idOf = (header: string | undefined): string => {
  if (header === undefined || header === '')
    throw refuse('REQUEST_INVALID', 'X-Auth-Proxy-Config-Id header is required')
  if (!t.Uuid.is(header)) throw refusal(unknown)
  return header.toLowerCase()
}

/** An id that no configuration has costs a question to the API, so each caller has few of them. */
const found = async (id: string, address: string | null, parts: AuthProxyParts): Promise<Configuration> => {
  const { configurations, limits } = parts
  if (configurations.isAtHand(id)) return configurations.find(id)
  const place = placeOf(address)
  await limits.count('unknown', place)
  try {
    const configuration = await configurations.find(id)
    await limits.giveBack('unknown', place)
    return configuration
  } catch (error) {
    const of = failureOf(error)
    if (of === undefined || rowOf(of).http >= 500) await limits.giveBack('unknown', place)
    throw error
  }
}

const mustBeSolved = async (
  { configuration, captchaToken, address }: Admitted,
  { captcha }: AuthProxyParts,
): Promise<void> => {
  if (captcha !== undefined && configuration.config.captchaEnabled === true) await captcha(captchaToken, address)
}

/** Answers a request once, also if it is admitted again because there was no room for its answer: an activity must not be submitted twice. */
const once = (endpoint: Endpoint<unknown>, admitted: Admitted, parts: AuthProxyParts): AnswerReceived => {
  let reply: Promise<Reply> | undefined
  return ({ body }) => (reply ??= answered(endpoint, body, admitted, parts).catch(replyOf))
}

const answered = async (
  endpoint: Endpoint<unknown>,
  body: Uint8Array,
  admitted: Admitted,
  parts: AuthProxyParts,
): Promise<Reply> => {
  const { config } = admitted.configuration
  const request = requestIn(endpoint, body)
  const { needsCaptcha } = endpoint
  if (typeof needsCaptcha === 'function' && needsCaptcha(request)) await mustBeSolved(admitted, parts)
  const contact = endpoint.contactOf?.(request)
  if (contact !== undefined) await parts.limits.count('contact', config.configId, contact)
  const method = endpoint.methodOf?.(request)
  if (method !== undefined) mustBeAllowed(method, config)
  return jsonReply(JSON.stringify(await byKeyInForce(endpoint, request, admitted, parts)))
}

/** No body is the empty object: some clients send none where they have nothing to say. */
const requestIn = (endpoint: Endpoint<unknown>, body: Uint8Array): unknown => {
  const json = body.length === 0 ? {} : valueOf(parseStrict(body, requestJson))
  return valueOf(decode(endpoint.request, 'request body')(json))
}

/** If the key is none of the organization any more, the configuration was disabled, or enabled anew, since it was read. */
const byKeyInForce = async (
  endpoint: Endpoint<unknown>,
  request: unknown,
  { configuration, address }: Admitted,
  parts: AuthProxyParts,
): Promise<Json> => {
  try {
    return await byKey(endpoint, request, { configuration, address }, parts)
  } catch (error) {
    if (!(error instanceof PassedOn && error.code === 'PUBLIC_KEY_NOT_FOUND')) throw error
    const { configId } = configuration.config
    parts.configurations.forget(configId)
    const anew = await parts.configurations.find(configId)
    if (anew.sealed.publicKey === configuration.sealed.publicKey) throw error
    return byKey(endpoint, request, { configuration: anew, address }, parts)
  }
}

const byKey = async (
  endpoint: Endpoint<unknown>,
  request: unknown,
  { configuration: { config, sealed }, address }: Pick<Admitted, 'configuration' | 'address'>,
  { api, openedKey, timeLimit, nowMs }: AuthProxyParts,
): Promise<Json> => {
  const key = openedKey(sealed)
  const asking = { stamper: key.stamper, signal: timeLimit() }
  const call: Call = {
    config,
    address,
    atMs: nowMs(),
    submit: (activity) => api.submit(asking, activity),
    query: (path, body) => api.query(asking, path, body),
  }
  try {
    return await endpoint.answer(request, call)
  } finally {
    key.close()
  }
}
