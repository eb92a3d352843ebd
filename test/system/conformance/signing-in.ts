import { createHash } from 'node:crypto'
import { generateP256KeyPair } from '@turnkey/crypto'
import { identityTokens } from '../../../adapters/identity-tokens/index.ts'
import { signingKey } from '../../../adapters/signatures/signer.ts'
import { right } from '../../core/world/world.ts'
import { identityProvider, type Algorithm, type IdentityProvider } from './identity-provider.ts'
import type { Key } from './post.ts'
import { onStage, type Stage, type StageOptions } from './stage.ts'

/** A stage beside an identity provider at this machine, whose tokens are taken. */
export type StageWithProvider = Stage & { readonly provider: IdentityProvider }

export const onStageWithProvider = (
  play: (stage: StageWithProvider) => Promise<void>,
  { ports, ...options }: StageOptions = {},
): Promise<void> =>
  withProvider((provider, services) =>
    onStage((stage) => play({ ...stage, provider }), { ...options, ports: { ...services, ...ports } }),
  )

/** The provider, and the service that finds its keys: the provider is at this machine. */
export const withProvider = async (
  play: (
    provider: IdentityProvider,
    services: { readonly identityTokens: ReturnType<typeof identityTokens> },
  ) => Promise<void>,
): Promise<void> => {
  const provider = await identityProvider()
  try {
    await play(provider, { identityTokens: identityTokens({ allowPrivateNetwork: true }) })
  } finally {
    await provider.close()
  }
}

/** What a client has a token bound to its key by: the hash of the key's text. */
export const nonceOf = (publicKey: string): string => createHash('sha256').update(publicKey).digest('hex')

/** What a client sends for a session of a new key, and the pair. */
export const sessionWanted = async (
  { provider }: Pick<StageWithProvider, 'provider'>,
  login: string,
  algorithm: Algorithm = 'RS256',
) => {
  const pair = generateP256KeyPair()
  const { publicKey } = pair
  const oidcToken = await provider.signIn({ login, nonce: nonceOf(publicKey), algorithm })
  return { pair, wanted: { oidcToken, publicKey } }
}

/** The client that stamps with a key of a client. */
export const byPair = (stage: Stage, { privateKey }: Key) =>
  stage.sdk({ userId: '', apiKeyId: '', key: right(signingKey('API_KEY_CURVE_P256', privateKey)) })
