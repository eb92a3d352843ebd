import { decodeHex, encodeBase64Url } from '../../core/bytes.ts'
import type { Engine } from '../../core/engine.ts'
import { failure, type Failure } from '../../core/failure.ts'
import { p256KeyOf } from '../../core/identity/signing-key.ts'
import { pipe, TE } from '../../core/prelude.ts'
import type { DeploymentKey } from '../../core/resources/deployment-key/deployment-keys.ts'
import type { WebhookKey } from '../../core/resources/deployment-key/webhook-keys.ts'
import { behindBasePath, isPath } from './base-path.ts'
import type { Platform } from './exchange.ts'
import { CONSOLE, frontPage, wantsPage } from './front-page.ts'
import { openApi } from './openapi.ts'
import type { HandlerSettings, StaticFile } from './options.ts'
import { asBytes, errorReply, fileReply, jsonReply, metricsReply, type Reply } from './reply.ts'
import { ENGINE_ROUTE, type Route } from './service.ts'

/** What paths are answered with, without a stamp. */
export type Documents = ReadonlyMap<string, Route>

const GET = ['GET', 'HEAD', 'OPTIONS']
const OWN_ORIGIN = ['GET', 'HEAD'] // no OPTIONS, because pages of other origins must not read it
const POST = ['POST', 'OPTIONS']
const DISCOVERY = '/public/v1/discovery'
/** Paths of the public API that are for its maker: they do nothing here. */
const INTERNAL = '/tkhq/api/v1'

/**
 * All that is answered without a stamp, by the path behind the base path.
 *
 * @throws RangeError if a file has a path that no request could have, or that something else has
 */
export const documentsOf = (
  engine: Engine,
  { metrics, basePath, files }: Pick<HandlerSettings, 'metrics' | 'basePath' | 'files'>,
  platform: Platform,
): Documents => {
  const page = frontPage(basePath, {
    hasMetrics: metrics !== undefined,
    hasConsole: files.some(({ path }) => path === CONSOLE),
  })
  const service = probe({
    service: 'countersign',
    api: `${basePath}/public/v1`,
    keys: `${basePath}${DISCOVERY}/keys`,
    openapi: `${basePath}/openapi.json`,
  })
  let openapi: Reply | undefined
  const openapiReply = (): Reply =>
    (openapi ??= asBytes(jsonReply(JSON.stringify(openApi(engine, { basePath }))), platform))
  const own = new Map<string, Route>([
    ['/', { methods: GET, reply: (exchange) => (wantsPage(exchange) ? page : service) }],
    ...probesOf(() => engine.isReady()(), metrics),
    ['/openapi.json', { methods: GET, reply: openapiReply }],
    [`${DISCOVERY}/keys`, { methods: GET, reply: () => deploymentKeys(engine) }],
    [`${DISCOVERY}/webhooks/jwks`, { methods: GET, reply: () => webhookKeySet(engine) }],
    ...identityDocuments(engine, basePath),
    [`${INTERNAL}/noop-codegen-anchor`, { methods: POST, reply: () => codegenAnchor }],
    [`${INTERNAL}/refresh_feature_flags`, { methods: POST, reply: () => nothing }],
    [`${INTERNAL}/test_rate_limits`, { methods: POST, reply: () => nothing }],
  ])
  return withFiles(own, files)
}

/** All callers get the same bytes, so that a file takes no memory for each answer. */
const withFiles = (own: Documents, files: readonly StaticFile[]): Documents => {
  const documents = new Map(own)
  for (const file of files) {
    const { path } = file
    if (!isPath(path)) throw new RangeError(`files: expected a path such as /console, not ${JSON.stringify(path)}`)
    if (ENGINE_ROUTE.test(path) || documents.has(path)) throw new RangeError(`files: ${path} is served already`)
    const reply = fileReply(file)
    documents.set(path, { methods: OWN_ORIGIN, reply: () => reply })
  }
  return documents
}

/** It is there so that generators of clients find its types: the least that they allow. */
const codegenAnchor = jsonReply(
  JSON.stringify({ stamp: { credentialId: '', clientDataJson: '', authenticatorData: '', signature: '' } }),
)
const nothing = jsonReply('{}')

/** What those who watch over a server ask for. */
export const probesOf = (
  isReady: TE.TaskEither<Failure, unknown>,
  metrics: HandlerSettings['metrics'],
): readonly (readonly [string, Route])[] => [
  ['/healthz', { methods: GET, reply: () => healthy }],
  ['/readyz', { methods: GET, reply: () => readiness(isReady) }],
  ...(metrics === undefined
    ? []
    : [['/metrics', { methods: OWN_ORIGIN, reply: () => metricsReply(metrics()) }] as const]),
]

const readiness = (isReady: TE.TaskEither<Failure, unknown>): Promise<Reply> =>
  pipe(
    isReady,
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

/** The keys that sign webhooks, as a JWK Set (RFC 7517, RFC 8037). */
const webhookKeySet = (engine: Engine): Promise<Reply> =>
  pipe(
    engine.webhookKeys(),
    TE.match(
      (reason) => errorReply(reason),
      (keys) => keptReply({ keys: keys.map(jwkOf) }),
    ),
  )()

/**
 * What OpenID Connect Discovery wants of an issuer, as far as it is true: tokens come out of activities, so there is nothing to ask for one at. The path of
 * the public URL stands before the paths, unless whoever sends requests on has cut it off.
 */
const identityDocuments = (engine: Engine, basePath: string): readonly (readonly [string, Route])[] => {
  const { publicUrl } = engine
  if (publicUrl === undefined) return []
  const root = publicUrl.replace(/\/+$/, '')
  const configuration = {
    issuer: publicUrl,
    jwks_uri: `${root}${JWKS}`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    claims_supported: ['iss', 'aud', 'sub', 'nonce', 'iat', 'exp', 'encrypted_bearer_token'],
  }
  const path = behindBasePath(basePath, new URL(root).pathname)?.replace(/\/+$/, '') ?? ''
  return [...new Set(['', path])].flatMap((before) => [
    [`${before}${OPENID_CONFIGURATION}`, { methods: GET, reply: () => identityReply(engine, () => configuration) }],
    [`${before}${JWKS}`, { methods: GET, reply: () => identityReply(engine, (key) => ({ keys: [key] })) }],
  ])
}

const OPENID_CONFIGURATION = '/.well-known/openid-configuration'
const JWKS = '/.well-known/jwks.json'

/** What is made of the key that signs identity tokens; an engine without a keyring has none, and issues none. */
const identityReply = (engine: Engine, documentOf: (key: object) => object): Promise<Reply> =>
  pipe(
    engine.deploymentKeys(),
    TE.match(
      (reason) => errorReply(reason),
      (keys) => {
        const key = keys.find(({ purpose }) => purpose === 'oidc')
        return key === undefined ? errorReply(noIssuer) : keptReply(documentOf(identityKeyOf(key)))
      },
    ),
  )()

const identityKeyOf = ({ id, publicKey }: DeploymentKey) => ({
  kid: id,
  ...p256KeyOf(publicKey),
  ...{ alg: 'ES256', use: 'sig' },
})

const noIssuer = failure('ROUTE_NOT_FOUND', 'this server issues no identity tokens')

const keptReply = (document: object): Reply => {
  const reply = jsonReply(JSON.stringify(document))
  return { ...reply, headers: { ...reply.headers, 'Cache-Control': KEPT_FOR_A_DAY } }
}

const KEPT_FOR_A_DAY = 'public, max-age=86400, s-maxage=86400, stale-if-error=604800'

const jwkOf = ({ id, publicKey }: WebhookKey) => ({
  ...{ kid: id, kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' },
  x: encodeBase64Url(decodeHex(publicKey) ?? new Uint8Array()),
  ...{ turnkey_signature_algorithm: 'ed25519', turnkey_signature_version: 'v1' },
})

const probe = (body: { readonly [member: string]: string }): Reply => {
  const reply = jsonReply(JSON.stringify(body))
  return { ...reply, headers: { ...reply.headers, 'Cache-Control': 'no-store' } }
}

const healthy = probe({ status: 'ok' })
