import { randomBytes } from 'node:crypto'
import { createOauth2Credential } from '../../../../core/resources/oauth2-credential/create-oauth2-credential.ts'
import { deleteOauth2Credential } from '../../../../core/resources/oauth2-credential/delete-oauth2-credential.ts'
import { getOauth2Credential } from '../../../../core/resources/oauth2-credential/get-oauth2-credential.ts'
import { listOauth2Credentials } from '../../../../core/resources/oauth2-credential/list-oauth2-credentials.ts'
import { updateOauth2Credential } from '../../../../core/resources/oauth2-credential/update-oauth2-credential.ts'
import { asking, example, NOBODY, ORGANIZATION, type Scene } from '../example.ts'

/** In the form of an encrypted secret: nonce, key, length and ciphertext. */
export const anyClientSecret = (): string => {
  const [nonce, key, ciphertext] = [12, 64, 40].map((bytes) => randomBytes(bytes).toString('hex'))
  return `${nonce}04${key}28000000${ciphertext}`
}

const given = ({ text }: Scene) => ({
  provider: 'OAUTH2_PROVIDER_X',
  clientId: text('clientId'),
  encryptedClientSecret: anyClientSecret(),
})

const made = async ({ made: make }: Scene) => ({
  oauth2CredentialId: (await make(createOauth2Credential)).oauth2CredentialId,
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

export const texts = { provider: ORGANIZATION, clientId: ORGANIZATION, encryptedClientSecret: ENCRYPTED }
