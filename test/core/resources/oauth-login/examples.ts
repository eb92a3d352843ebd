import { getOauthProviders } from '../../../../core/resources/oauth-provider/get-oauth-providers.ts'
import { createOauthProviders } from '../../../../core/resources/oauth-provider/create-oauth-providers.ts'
import { oauth } from '../../../../core/resources/oauth-login/oauth.ts'
import { oauthLogin } from '../../../../core/resources/oauth-login/oauth-login.ts'
import { anIssuer } from '../../world/issuer.ts'
import { example, type Scene } from '../example.ts'
import { nonceOf } from './scene.ts'

/** A token for a key, about the account of the user, who gets one if there is none. */
const tokenFor = async ({ made, asked, user: userId }: Scene, publicKey: string): Promise<string> => {
  const shown = async () =>
    (await asked(getOauthProviders, { userId })).oauthProviders.find(
      ({ issuer, audience }) => issuer === anIssuer.url && audience === 'client',
    )
  const there = await shown()
  if (there === undefined) await made(createOauthProviders)
  const sub = (there ?? (await shown()))?.subject
  return anIssuer.token({ sub, nonce: nonceOf(publicKey) })
}

export const examples = [
  example(oauthLogin, {
    valid: async (scene) => {
      const publicKey = scene.publicKey()
      return {
        oidcToken: await tokenFor(scene, publicKey),
        publicKey,
        expirationSeconds: '3600',
        invalidateExisting: false,
        sessionProfileId: undefined,
      }
    },
    shows: () => ({ publicKey: undefined, expirationSeconds: undefined, invalidateExisting: undefined }),
    refused: [({ publicKey }) => ({ oidcToken: 'a.b.c', publicKey: publicKey() }), 'INVALID_OIDC_TOKEN'],
  }),
  example(oauth, {
    valid: async (scene) => {
      const targetPublicKey = scene.border.targetPublicKey()
      return {
        oidcToken: await tokenFor(scene, targetPublicKey),
        targetPublicKey,
        apiKeyName: scene.text('apiKeyName'),
        expirationSeconds: '900',
        invalidateExisting: true,
      }
    },
    refused: [
      ({ border }) => ({ oidcToken: 'a.b.c', targetPublicKey: border.targetPublicKey() }),
      'INVALID_OIDC_TOKEN',
    ],
  }),
]
