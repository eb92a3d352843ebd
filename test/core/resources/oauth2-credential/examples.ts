import { createOauth2Credential } from '../../../../core/resources/oauth2-credential/create-oauth2-credential.ts'
import { deleteOauth2Credential } from '../../../../core/resources/oauth2-credential/delete-oauth2-credential.ts'
import { getOauth2Credential } from '../../../../core/resources/oauth2-credential/get-oauth2-credential.ts'
import { listOauth2Credentials } from '../../../../core/resources/oauth2-credential/list-oauth2-credentials.ts'
import { updateOauth2Credential } from '../../../../core/resources/oauth2-credential/update-oauth2-credential.ts'
import { asking, example, NOBODY, ORGANIZATION, type Scene } from '../example.ts'

/** A text in the form of an encrypted secret: nonce, public key, length and ciphertext. */
export const clientSecretOf = (text: string): string => {
  const ciphertext = Buffer.from(text.padEnd(24))
  const length = Buffer.from([ciphertext.length, 0, 0, 0])
  return ['0a'.repeat(12), '04', '0b'.repeat(64), length.toString('hex'), ciphertext.toString('hex')].join('')
}

const given = ({ text, publicKey }: Scene) => ({
  provider: 'OAUTH2_PROVIDER_X',
  clientId: text('clientId'),
  encryptedClientSecret: clientSecretOf(publicKey()),
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
