import type { Engine } from '../../core/engine.ts'
import { pipe, TE } from '../../core/prelude.ts'
import type { Platform } from './exchange.ts'
import { openApi } from './openapi.ts'
import type { HandlerSettings } from './options.ts'
import { asBytes, errorReply, jsonReply, metricsReply, type Reply } from './reply.ts'

/** What a path is answered with, without a stamp. */
export type Document = { readonly methods: readonly string[]; readonly reply: () => Reply | Promise<Reply> }
export type Documents = ReadonlyMap<string, Document>

const GET = ['GET', 'HEAD', 'OPTIONS']
const METRICS = ['GET', 'HEAD'] // no OPTIONS, because pages of other origins must not read it
const POST = ['POST', 'OPTIONS']
const DISCOVERY = '/public/v1/discovery'
/** Paths of the public API that are for its maker: they do nothing here. */
const INTERNAL = '/tkhq/api/v1'

/** All that is answered without a stamp, by the path behind the base path. */
export const documentsOf = (
  engine: Engine,
  { metrics, basePath }: Pick<HandlerSettings, 'metrics' | 'basePath'>,
  platform: Platform,
): Documents => {
  const service = probe({
    service: 'countersign',
    api: `${basePath}/public/v1`,
    keys: `${basePath}${DISCOVERY}/keys`,
    openapi: `${basePath}/openapi.json`,
  })
  let openapi: Reply | undefined
  const openapiReply = (): Reply =>
    (openapi ??= asBytes(jsonReply(JSON.stringify(openApi(engine, { basePath }))), platform))
  return new Map<string, Document>([
    ['/', { methods: GET, reply: () => service }],
    ['/healthz', { methods: GET, reply: () => healthy }],
    ['/readyz', { methods: GET, reply: () => readiness(engine) }],
    ['/openapi.json', { methods: GET, reply: openapiReply }],
    [`${DISCOVERY}/keys`, { methods: GET, reply: () => deploymentKeys(engine) }],
    ...(metrics === undefined
      ? []
      : [['/metrics', { methods: METRICS, reply: () => metricsReply(metrics()) }] as const]),
    [`${INTERNAL}/noop-codegen-anchor`, { methods: POST, reply: () => codegenAnchor }],
    [`${INTERNAL}/refresh_feature_flags`, { methods: POST, reply: () => nothing }],
    [`${INTERNAL}/test_rate_limits`, { methods: POST, reply: () => nothing }],
  ])
}

/** It is there so that generators of clients find its types: the least that they allow. */
const codegenAnchor = jsonReply(
  JSON.stringify({ stamp: { credentialId: '', clientDataJson: '', authenticatorData: '', signature: '' } }),
)
const nothing = jsonReply('{}')

const readiness = (engine: Engine): Promise<Reply> =>
  pipe(
    engine.isReady(),
    TE.match(
      (reason) => errorReply(reason, { status: 503, headers: { 'Cache-Control': 'no-store' } }),
      () => probe({ status: 'ready' }),
    ),
  )()

const deploymentKeys = (engine: Engine): Promise<Reply> =>
  pipe(
    engine.deploymentKeys(),
    TE.match(
      (reason) => errorReply(reason),
      (keys) => jsonReply(JSON.stringify({ keys })),
    ),
  )()

const probe = (body: { readonly [member: string]: string }): Reply => {
  const reply = jsonReply(JSON.stringify(body))
  return { ...reply, headers: { ...reply.headers, 'Cache-Control': 'no-store' } }
}

const healthy = probe({ status: 'ok' })
