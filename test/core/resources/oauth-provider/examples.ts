import { createOauthProviders } from '../../../../core/resources/oauth-provider/create-oauth-providers.ts'
import { deleteOauthProviders } from '../../../../core/resources/oauth-provider/delete-oauth-providers.ts'
import { getOauthProviders } from '../../../../core/resources/oauth-provider/get-oauth-providers.ts'
import { anIssuer } from '../../world/issuer.ts'
import { asking, example, NOBODY, PERSONAL, type Members, type Scene } from '../example.ts'

/** A provider by a token, as all forms have it. */
export const byToken = ({ text }: Scene, sub = text('subject')): Members => ({
  providerName: text('providerName'),
  oidcToken: anIssuer.token({ sub }),
})

/** A provider by a token, and the same person for another client of the provider. */
export const byTokenAndClaims = (scene: Scene): readonly Members[] => {
  const sub = scene.text('subject')
  return [
    { ...byToken(scene, sub), oidcClaims: undefined },
    {
      providerName: scene.text('providerName'),
      oidcToken: undefined,
      oidcClaims: { iss: anIssuer.url, sub, aud: scene.text('audience') },
    },
  ]
}

export const examples = [
  example(createOauthProviders, {
    valid: (scene) => ({ userId: scene.user, oauthProviders: byTokenAndClaims(scene) }),
    older: {
      ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS: (scene) => ({ userId: scene.user, oauthProviders: [byToken(scene)] }),
    },
    refused: [
      ({ user: userId }) => ({ userId, oauthProviders: [{ providerName: 'provider', oidcToken: 'a.b.c' }] }),
      'INVALID_OIDC_TOKEN',
    ],
  }),
  example(deleteOauthProviders, {
    valid: async ({ made, user: userId }) => ({
      userId,
      providerIds: (await made(createOauthProviders)).providerIds,
    }),
    refused: [({ user: userId }) => ({ userId, providerIds: [NOBODY] }), 'RESOURCE_NOT_FOUND'],
  }),
  asking(
    getOauthProviders,
    async ({ made, user: userId }) => {
      const [providerId] = (await made(createOauthProviders)).providerIds
      return { request: { userId }, shows: { oauthProviders: [{ providerId, issuer: anIssuer.url }] } }
    },
    { refused: [{ userId: NOBODY }, 'RESOURCE_NOT_FOUND'] },
  ),
]

export const texts = { providerName: PERSONAL, issuer: PERSONAL, audience: PERSONAL, subject: PERSONAL }
