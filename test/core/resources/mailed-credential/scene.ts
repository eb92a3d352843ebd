import { decryptCredentialBundle } from '@turnkey/crypto'
import { signingKey } from '../../../../adapters/signatures/signer.ts'
import { uncompressed } from '../../../../core/keys/public-key.ts'
import { right, type Signer } from '../../world/world.ts'
import { ADA, clientKey, office } from '../otp/scene.ts'

/* An office with Ada, to whom credentials are mailed. */

export const withAda = async () => {
  const made = await office()
  const user = {
    userName: 'ada',
    userEmail: ADA,
    apiKeys: [keyParams()],
    authenticators: [],
    oauthProviders: [],
    userTags: [],
  }
  const { result } = await made.done(made.root, 'create_users', { users: [user] })
  const [userId = ''] = (result['createUsersResult'] as { readonly userIds: readonly string[] }).userIds
  return { ...made, userId }
}

const keyParams = () => ({ apiKeyName: 'key', publicKey: clientKey().publicKey, curveType: 'API_KEY_CURVE_P256' })

/** A key of a client, to which bundles are encrypted, and the signer in the bundle that it gets. */
export const target = () => {
  const key = clientKey()
  return {
    targetPublicKey: uncompressed('CURVE_P256', key.publicKey),
    open: (bundle: string): Signer => ({
      key: right(signingKey('API_KEY_CURVE_P256', decryptCredentialBundle(bundle, key.privateKey))),
    }),
  }
}

export const emailCustomization = { appName: 'Engine' }
