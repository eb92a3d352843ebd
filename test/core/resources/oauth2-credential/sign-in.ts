import { encryptOauth2ClientSecret } from '@turnkey/crypto'
import { oauth2Providers } from '../../../../adapters/oauth2/index.ts'
import { CLIENT, oauth2Services, type ProviderName, type SignIn } from '../../../adapters/oauth2/providers.ts'
import { encryptionKeyOf } from '../bundle/border.ts'
import { world, type Place, type WorldOptions } from '../../world/world.ts'

/* An engine whose organization has clients at counterparts of X and Discord. */

export const NONCE = '1663bba492a323085b13895634a3618792c4ec6896f3c34ef3c26396df22ef82'

export type Office = Awaited<ReturnType<typeof office>>

export const office = async (options: WorldOptions = {}) => {
  const services = await oauth2Services()
  const oauth2 = oauth2Providers({ xUrl: services.url, discordUrl: services.url, allowPrivateNetwork: true })
  const made = await world({ ...options, ports: { oauth2, ...options.ports } })
  const encrypted = await encryptOauth2ClientSecret(CLIENT.clientSecret, await encryptionKeyOf(made.engine))
  const close = async (): Promise<void> => {
    await made.close()
    await services.close()
  }
  return { ...made, services, encrypted, close }
}

/** Keeps a client of the organization. */
export const clientAt = async (
  place: Place,
  provider: ProviderName,
  encryptedClientSecret: string,
): Promise<string> => {
  const given = { provider, clientId: CLIENT.clientId, encryptedClientSecret }
  const { result } = await place.done(place.root, 'create_oauth2_credential', given)
  return (Object.values(result)[0] as { readonly oauth2CredentialId: string }).oauth2CredentialId
}

/** What the application sends of a sign-in. */
export const parametersOf = (oauth2CredentialId: string, { code, codeVerifier, redirectUri }: SignIn) => ({
  oauth2CredentialId,
  authCode: code,
  codeVerifier,
  redirectUri,
  nonce: NONCE,
})

export const tokenIn = (result: { readonly [name: string]: unknown }): string =>
  (result['oauth2AuthenticateResult'] as { readonly oidcToken: string }).oidcToken
