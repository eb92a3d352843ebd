import type { Failure } from '../../core/failure.ts'
import { invalidToken, readIdentityToken } from '../../core/identity/identity-token.ts'
import { isSignedByKey } from '../../core/identity/signed-by-key.ts'
import type { SigningKey } from '../../core/identity/signing-key.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type { IdentityTokens } from '../../core/ports/identity-tokens.ts'
import type { Outgoing } from '../../core/ports/outgoing.ts'
import { E } from '../../core/prelude.ts'
import { whenAborted } from '../outgoing/connected.ts'
import { nodeOutgoing } from '../outgoing/node-outgoing.ts'
import type { Lookup } from '../outgoing/vetted-addresses.ts'
import { keptKeys, type Published } from './kept-keys.ts'
import { away, publishedKeys, type PublishedKey } from './published-keys.ts'

export type IdentityTokensOptions = {
  /** The only issuers that are asked, each to the byte as tokens name it. Default: any. */
  readonly issuers?: readonly string[] | undefined
  /** Whether http, any port and private addresses are allowed, for development; never those of a cloud's metadata. Default: false. */
  readonly allowPrivateNetwork?: boolean
  /** Default: DNS; where private addresses are allowed, the resolver of the system, which has a file of hosts. */
  readonly lookup?: Lookup
  /** Certificates of authorities in place of those of Node, as PEM. */
  readonly ca?: string
  /** By which keys are kept, and requests end. Default: that of the machine. */
  readonly clock?: Clock
  /** What asks, in place of the sockets of Node; the three options before are for them. */
  readonly outgoing?: Pick<Outgoing, 'ask'>
}

/**
 * Finds the keys of those who issue identity tokens: the service of the port `identityTokens`. It asks public addresses only, by https, unless the
 * options say otherwise, and keeps keys for a day.
 *
 * @example createEngine({ store, keystore, ports: { identityTokens: identityTokens() } })
 */
export const identityTokens = (options: IdentityTokensOptions = {}): IdentityTokens => {
  const { issuers, clock = { now: Date.now }, outgoing = nodeOutgoing(options) } = options
  const kept = keptKeys((issuer) => publishedKeys(outgoing, issuer).catch(() => E.left(away)), clock)
  return {
    keyOf: (token, signal) => async () => {
      const read = readIdentityToken(token)
      if (read === undefined || issuers?.includes(read.issuer) === false) return E.left(invalidToken)
      const { issuer, keyId } = read
      const known = namedBy(keyId, kept.known(issuer))
      const key = await signerAmong(known, token)
      if (key !== undefined) return E.right(key)
      if (keyId !== undefined && known.length > 0) return E.left(invalidToken) // it names a key that has not signed it
      const current = await unlessAborted(kept.current(issuer), signal)
      if (E.isLeft(current)) return current
      return foundOr(await signerAmong(namedBy(keyId, current.right), token))
    },
  }
}

/** The keys that may have signed a token: those of that id, or all, if it names none. */
const namedBy = (keyId: string | undefined, keys: readonly PublishedKey[]): readonly PublishedKey[] =>
  keyId === undefined ? keys : keys.filter((one) => one.keyId === keyId)

const signerAmong = async (keys: readonly PublishedKey[], token: string): Promise<SigningKey | undefined> => {
  for (const { key } of keys) if (await isSignedByKey(token, key)) return key
  return undefined
}

const foundOr = (key: SigningKey | undefined): E.Either<Failure, SigningKey> =>
  key === undefined ? E.left(invalidToken) : E.right(key)

/** Others may wait for the same answer: whoever does not wait any more ends nothing. */
const unlessAborted = async (answer: Promise<Published>, signal: AbortSignal | undefined): Promise<Published> => {
  if (signal === undefined) return answer
  let stop = (): void => undefined
  const aborted = new Promise<Published>((resolve) => {
    stop = whenAborted(signal, () => resolve(E.left(away)))
  })
  return Promise.race([answer, aborted]).finally(() => stop())
}
