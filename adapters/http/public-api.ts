import type { CommandOptions, Engine, SubmitOptions } from '../../core/engine.ts'
import { failure } from '../../core/failure.ts'
import { pipe, TE } from '../../core/prelude.ts'
import type { Request } from '../../core/request.ts'
import { behindBasePath } from './base-path.ts'
import { boundedBodies } from './bounded-bodies.ts'
import { documentsOf, type Documents } from './documents.ts'
import type { Exchange, Platform } from './exchange.ts'
import type { HandlerSettings } from './options.ts'
import { errorReply, jsonReply, type Reply } from './reply.ts'
import { ENGINE_ROUTE, type Route, type Service } from './service.ts'
import { submitEnvelope } from './submit-envelope.ts'
import { wireAnswers, type Timestamps } from './wire-activity.ts'

const POST = ['POST', 'OPTIONS']

/** Submits and queries of an engine, and its documents, under the base path. The engine decides whether there is such an operation. */
export const publicApi = (engine: Engine, settings: HandlerSettings, platform: Platform): Service => {
  const { basePath } = settings
  const bounded = boundedBodies(settings, platform)
  const documents = documentsOf(engine, settings, platform)
  const submit = submitting(engine, settings)
  const query = querying(engine, settings)
  const ask: Asks = (kind, operation) => (exchange) =>
    bounded(exchange, (received) =>
      (kind === 'submit' ? submit : query)(operation, { headers: exchange.stamps(), ...received }, exchange),
    )
  return { routeOf: routes(basePath, documents, ask), noRoute: noRouteUnder(settings) }
}

/** What answers submits or queries of an operation. */
type Asks = (kind: 'submit' | 'query', operation: string) => Route['reply']

/** The routes under a base path. */
export const routes =
  (basePath: string, documents: Documents, asks: Asks): Service['routeOf'] =>
  (path) => {
    const rest = behindBasePath(basePath, path)
    if (rest === undefined) return undefined
    const [, kind, operation] = ENGINE_ROUTE.exec(rest) ?? []
    return operation === undefined
      ? documents.get(rest)
      : { methods: POST, reply: asks(kind === 'submit' ? 'submit' : 'query', operation) }
  }

const noRouteUnder = ({ basePath }: Pick<HandlerSettings, 'basePath'>): Reply => {
  const [submit, query] = ['submit', 'query'].map((kind) => `${basePath}/public/v1/${kind}`)
  return errorReply(failure('ROUTE_NOT_FOUND', `no such route; the API is under ${submit} and ${query}`))
}

/** Asks the engine. */
type Ask = (operation: string, request: Request, exchange: Exchange) => Promise<Reply>

const submitting =
  (engine: Engine, { waitForTurnMaxMs }: Pick<HandlerSettings, 'waitForTurnMaxMs'>): Ask =>
  (operation, request, { requestId }) =>
    pipe(
      engine.submit(operation, request, { waitForTurnMaxMs, requestId } satisfies SubmitOptions),
      TE.match(errorReply, (view) => jsonReply(submitEnvelope(view))),
    )()

const querying = (engine: Engine, settings: HandlerSettings): Ask => {
  const wireAnswer = wireAnswers(engine.queries)
  return (operation, request, exchange) =>
    pipe(
      engine.query(operation, request, { requestId: exchange.requestId } satisfies CommandOptions),
      TE.match(errorReply, (answer) =>
        jsonReply(JSON.stringify(wireAnswer(operation, answer, timestampsFor(exchange, settings)))),
      ),
    )()
}

/** Clients that send one of these headers can read only `{seconds, nanos}`; all others get the form of the specification. */
const timestampsFor = (exchange: Exchange, { activityTimestamps }: HandlerSettings): Timestamps =>
  exchange.header('x-client-version') !== undefined || exchange.header('user-agent')?.startsWith('turnkey-') === true
    ? 'object'
    : activityTimestamps
