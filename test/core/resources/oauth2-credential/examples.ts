import { createOauth2Credential } from '../../../../core/resources/oauth2-credential/create-oauth2-credential.ts'
import { deleteOauth2Credential } from '../../../../core/resources/oauth2-credential/delete-oauth2-credential.ts'
import { getOauth2Credential } from '../../../../core/resources/oauth2-credential/get-oauth2-credential.ts'
import { listOauth2Credentials } from '../../../../core/resources/oauth2-credential/list-oauth2-credentials.ts'
import { updateOauth2Credential } from '../../../../core/resources/oauth2-credential/update-oauth2-credential.ts'
import { oauth2Authenticate } from '../../../../core/resources/oauth2-credential/oauth2-authenticate.ts'
import { clientSecretOf } from '../bundle/border.ts'
import { asking, example, NOBODY, ORGANIZATION, type Members, type Scene } from '../example.ts'

const given = ({ text, publicKey }: Scene) => ({
  provider: 'OAUTH2_PROVIDER_X',
  clientId: text('clientId'),
  encryptedClientSecret: clientSecretOf(publicKey()),
})

const made = async ({ made: make }: Scene) => ({
  oauth2CredentialId: (await make(createOauth2Credential)).oauth2CredentialId,
})
const signingIn = ({ text }: Scene): Members => ({
  authCode: text('authCode'),
  redirectUri: `https://${text('redirectUri')}.example.com/`,
  codeVerifier: text('codeVerifier'),
  nonce: text('nonce'),
})
const nobody = { oauth2CredentialId: NOBODY }

export const examples = [
  example(createOauth2Credential, {
    valid: given,
    refused: [(scene) => ({ ...given(scene), encryptedClientSecret: 'a secret as it is' }), 'REQUEST_INVALID'],
  }),
  example(updateOauth2Credential, {
    valid: async (scene) => ({ ...(await made(scene)), ...given(scene) }),
    refused: [(scene) => ({ ...nobody, ...given(scene) }), 'OAUTH2_CREDENTIAL_NOT_FOUND'],
  }),
  example(deleteOauth2Credential, { valid: made, refused: [nobody, 'OAUTH2_CREDENTIAL_NOT_FOUND'] }),
  example(oauth2Authenticate, {
    where: 'apart',
    valid: async (scene) => {
      const { oauth2CredentialId } = await scene.made(createOauth2Credential, {
        members: { encryptedClientSecret: await scene.border.clientSecret() },
      })
      return { oauth2CredentialId, ...signingIn(scene), bearerTokenTargetPublicKey: scene.border.targetPublicKey() }
    },
    refused: [(scene) => ({ ...nobody, ...signingIn(scene) }), 'OAUTH2_CREDENTIAL_NOT_FOUND'],
  }),
  asking(
    getOauth2Credential,
    async (scene) => {
      const request = await made(scene)
      return { request, shows: { oauth2Credential: { ...request, provider: 'OAUTH2_PROVIDER_X' } } }
    },
    { refused: [nobody, 'OAUTH2_CREDENTIAL_NOT_FOUND'] },
  ),
  asking(listOauth2Credentials, async (scene) => ({
    request: {},
    shows: { oauth2Credentials: [await made(scene)] },
  })),
]

const ENCRYPTED = 'it is encrypted to a key of the deployment'
const SEALED = 'it is sealed, and nobody opens it when the secret of its day is gone'

export const texts = {
  provider: ORGANIZATION,
  clientId: ORGANIZATION,
  encryptedClientSecret: ENCRYPTED,
  oidcToken: SEALED,
}
