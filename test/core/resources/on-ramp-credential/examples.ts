import { createFiatOnRampCredential } from '../../../../core/resources/on-ramp-credential/create-fiat-on-ramp-credential.ts'
import { deleteFiatOnRampCredential } from '../../../../core/resources/on-ramp-credential/delete-fiat-on-ramp-credential.ts'
import { listFiatOnRampCredentials } from '../../../../core/resources/on-ramp-credential/list-fiat-on-ramp-credentials.ts'
import { updateFiatOnRampCredential } from '../../../../core/resources/on-ramp-credential/update-fiat-on-ramp-credential.ts'
import { asking, example, NOBODY, ORGANIZATION, type Scene } from '../example.ts'

/** A text in the form of an encrypted secret. */
export const onRampSecretOf = (text: string): string =>
  `${'Encrypted2Secret'.repeat(5)}${Buffer.from(text).toString('hex').replaceAll('0', 'z')}`

const given = ({ text, publicKey }: Scene) => ({
  onrampProvider: 'FIAT_ON_RAMP_PROVIDER_COINBASE',
  projectId: text('projectId'),
  publishableApiKey: text('publishableApiKey'),
  encryptedSecretApiKey: onRampSecretOf(publicKey()),
  encryptedPrivateApiKey: onRampSecretOf(publicKey()),
})

const made = async ({ made: make }: Scene) => ({
  fiatOnrampCredentialId: (await make(createFiatOnRampCredential)).fiatOnRampCredentialId,
})
const nobody = { fiatOnrampCredentialId: NOBODY }
const sameId = ({ fiatOnrampCredentialId }: { readonly [member: string]: unknown }) => ({
  fiatOnRampCredentialId: fiatOnrampCredentialId as string, // of the requests above
})

export const examples = [
  example(createFiatOnRampCredential, {
    valid: (scene) => ({ ...given(scene), sandboxMode: true }),
    refused: [(scene) => ({ ...given(scene), projectId: undefined }), 'REQUEST_INVALID'],
  }),
  example(updateFiatOnRampCredential, {
    valid: async (scene) => ({ ...(await made(scene)), ...given(scene) }),
    refused: [(scene) => ({ ...nobody, ...given(scene) }), 'RESOURCE_NOT_FOUND'],
    shows: sameId,
  }),
  example(deleteFiatOnRampCredential, { valid: made, refused: [nobody, 'RESOURCE_NOT_FOUND'], shows: sameId }),
  asking(listFiatOnRampCredentials, async (scene) => ({
    request: {},
    shows: { fiatOnRampCredentials: [{ ...(await made(scene)), sandboxMode: true }] },
  })),
]

const ENCRYPTED = 'it is encrypted to a key of the deployment'

export const texts = {
  onrampProvider: ORGANIZATION,
  projectId: ORGANIZATION,
  publishableApiKey: ORGANIZATION,
  encryptedSecretApiKey: ENCRYPTED,
  encryptedPrivateApiKey: ENCRYPTED,
}
