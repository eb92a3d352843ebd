import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { identityTokens, type IdentityTokensOptions } from '../../../adapters/identity-tokens/index.ts'
import type { SigningKey } from '../../../core/identity/signing-key.ts'
import type { IdentityTokens } from '../../../core/ports/identity-tokens.ts'
import { testClock, type TestClock } from '../../core/world/world.ts'
import { tokenSigner, type TokenSigner } from '../../core/identity/token-signer.ts'
import { listening } from '../outgoing/internet.ts'

export const DISCOVERY = '/.well-known/openid-configuration'
export const KEYS = '/keys'

type Answering = (request: IncomingMessage, response: ServerResponse) => void

export type Provider = {
  readonly issuer: string
  readonly port: number
  /** The paths that were asked for, in order. */
  readonly asked: string[]
  /** The JWKs that it publishes. */
  keys: readonly unknown[]
  /** What it answers at some paths, in place of what a provider answers. */
  readonly answers: Map<string, Answering>
  /** Tokens of this issuer, signed by the key, whose header has its `kid`. */
  readonly token: (signer: TokenSigner, more?: Claimed) => string
}

type Claimed = { readonly header?: object; readonly claims?: object }

export const json =
  (body: unknown, status = 200): Answering =>
  (_, response) =>
    void response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))

export const saying =
  (status: number, headers: { readonly [name: string]: string } = {}): Answering =>
  (_, response) =>
    void response.writeHead(status, headers).end()

/** A provider on this machine, which publishes nothing yet. */
export const provider = (play: (provider: Provider) => Promise<void>): Promise<void> => {
  const asked: string[] = []
  const answers = new Map<string, Answering>()
  let made: Provider | undefined
  const usual = new Map<string, Answering>([
    [DISCOVERY, (...args) => json({ issuer: made?.issuer, jwks_uri: `${made?.issuer}${KEYS}` })(...args)],
    [KEYS, (...args) => json({ keys: made?.keys })(...args)],
  ])
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const answer = answers.get(path) ?? usual.get(path) ?? saying(404)
    answer(request, response)
  })
  return listening(server, async ({ port }) => {
    const issuer = `http://localhost:${port}`
    const token = ({ jwk, token: signed }: TokenSigner, { header, claims }: Claimed = {}) =>
      signed({ alg: ALGORITHMS[jwk.kty], kid: jwk['kid'], ...header }, { ...claimsOf(issuer), ...claims })
    made = { issuer, port, asked, keys: [], answers, token }
    await play(made)
  })
}

const ALGORITHMS = { RSA: 'RS256', EC: 'ES256', OKP: 'EdDSA' }
export const claimsOf = (issuer: string) => ({ iss: issuer, sub: 's', aud: 'a', exp: 1 })

/** A key with an id. */
export const signerOf = (kid: string, kty?: SigningKey['kty'], more: object = {}): TokenSigner =>
  tokenSigner(kty, { kid, ...more })

export type Asking = { readonly clock: TestClock; readonly keyOf: KeyOf }
type KeyOf = (token: string, signal?: AbortSignal) => Promise<SigningKey | string>

/** What asks, on this machine: the key of a token, or the code of the failure. */
export const asking = (options: Partial<IdentityTokensOptions> = {}): Asking => {
  const clock = testClock()
  const lookup = async () => ['127.0.0.1']
  return { clock, keyOf: outcomes(identityTokens({ clock, lookup, allowPrivateNetwork: true, ...options })) }
}

const outcomes =
  ({ keyOf }: IdentityTokens): KeyOf =>
  async (token, signal) => {
    const outcome = await keyOf(token, signal)()
    return outcome._tag === 'Right' ? outcome.right : outcome.left.code
  }

/** The public key of a signer, as it is found. */
export const keyIn = ({ jwk: { kid: _, use: __, ...key } }: TokenSigner): SigningKey => key
