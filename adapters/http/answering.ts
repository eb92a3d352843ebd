import { failure } from '../../core/failure.ts'
import type { Exchange } from './exchange.ts'
import type { HandledRequest, HandlerSettings } from './options.ts'
import { errorReply, optionsReply, type Reply } from './reply.ts'
import type { Route, Service } from './service.ts'

/**
 * Answers requests, however they arrive. The reply to a request without a route is a refusal: call it if nobody else can answer the
 * request. Code that throws gives a reply, too.
 */
export type ReplyTo = (exchange: Exchange, route: Route | undefined) => Promise<Reply>

export const answering = ({ noRoute }: Pick<Service, 'noRoute'>): ReplyTo => {
  const replyTo = async (exchange: Exchange, route: Route | undefined): Promise<Reply> => {
    if (route === undefined) return noRoute
    const { method } = exchange
    if (!route.methods.includes(method)) return wrongMethod(route.methods)
    if (method === 'OPTIONS') return route.preflight?.(exchange) ?? optionsReply(route.methods)
    return route.reply(exchange)
  }
  return (exchange, route) => replyTo(exchange, route).catch(thrownReply(exchange))
}

/** Tells the hook of the host about an answered request, and ignores its errors, so that the caller still gets the answer. */
export const tell = ({ onRequest }: Pick<HandlerSettings, 'onRequest'>, request: HandledRequest): void => {
  try {
    onRequest(request)
  } catch {
    // There is nobody else to tell.
  }
}

/** @param status  the one that the request got: another one than that of the reply if the caller was gone */
export const handledRequest = (
  { method, requestId }: Pick<Exchange, 'method' | 'requestId'>,
  path: string,
  { startedAt, status, reply }: { readonly startedAt: number; readonly status: number; readonly reply: Reply },
): HandledRequest => ({
  requestId,
  method,
  path,
  status,
  durationMs: performance.now() - startedAt,
  ...(reply.code === undefined || reply.status !== status ? {} : { code: reply.code }),
  ...(reply.thrown === undefined ? {} : { thrown: reply.thrown }),
})

const thrownReply =
  ({ requestId }: Exchange) =>
  (error: unknown): Reply => ({
    ...errorReply(failure('INTERNAL', `internal error (${requestId})`)),
    thrown: { requestId, error },
  })

const wrongMethod = (methods: readonly string[]): Reply =>
  errorReply(failure('UNSUPPORTED', `this route takes ${methods.join(', ')}`), {
    status: 405,
    headers: { Allow: methods.join(', ') },
  })
