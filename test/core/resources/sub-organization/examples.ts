import { createSubOrganization } from '../../../../core/resources/sub-organization/create-sub-organization.ts'
import { deleteSubOrganization } from '../../../../core/resources/sub-organization/delete-sub-organization.ts'
import { account } from '../wallet/examples.ts'
import { anyKey, lastingKey } from '../api-key/any-key.ts'
import { byToken, byTokenAndClaims } from '../oauth-provider/examples.ts'
import { newPasskey } from '../authenticator/new-passkey.ts'
import { findVerifiedUser } from '../../../../core/resources/sub-organization/find-verified-user.ts'
import { listSuborgs } from '../../../../core/resources/sub-organization/list-suborgs.ts'
import { listVerifiedSuborgs } from '../../../../core/resources/sub-organization/list-verified-suborgs.ts'
import { google } from '../../world/issuer.ts'
import { asking, AUDITED, example, ORGANIZATION, type Members, type Scene } from '../example.ts'

const named = ({ text }: Scene) => ({ subOrganizationName: text('subOrganizationName'), rootQuorumThreshold: 1 })
const person = ({ text }: Scene) => ({
  userName: text('userName'),
  userEmail: `${text('userEmail')}@example.com`,
})
const older = (scene: Scene) => ({
  ...person(scene),
  apiKeys: [{ ...anyKey(scene), expirationSeconds: undefined }],
  authenticators: [newPasskey(scene)],
})
const sixth = (scene: Scene) => ({
  ...person(scene),
  apiKeys: [lastingKey(scene)],
  authenticators: [newPasskey(scene)],
  oauthProviders: [byToken(scene)],
})
const seventh = (scene: Scene) => ({ ...sixth(scene), userPhoneNumber: scene.phoneNumber('userPhoneNumber') })
const ofToday = (scene: Scene) => ({ ...seventh(scene), oauthProviders: byTokenAndClaims(scene) })

/** An address that nobody has. */
const NEW = 'new@example.com'

/** What a request may opt out of. */
const optOuts = { disableEmailRecovery: true, disableEmailAuth: false }
const wallet = (scene: Scene) => ({
  walletName: scene.text('walletName'),
  accounts: [account(scene)],
  mnemonicLength: undefined,
})
const privateKey = ({ text }: Scene) => ({
  privateKeyName: text('privateKeyName'),
  curve: 'CURVE_P256',
  privateKeyTags: [],
  addressFormats: ['ADDRESS_FORMAT_COMPRESSED'],
})
const newest = (scene: Scene): Members => ({
  ...named(scene),
  rootUsers: [ofToday(scene)],
  ...optOuts,
  wallet: wallet(scene),
  disableSmsAuth: true,
  disableOtpEmailAuth: true,
  verificationToken: undefined,
  clientSignature: undefined,
})
const type = createSubOrganization.type.replace('_V8', '')

export const examples = [
  example(createSubOrganization, {
    valid: newest,
    older: {
      [`${type}_V7`]: (scene) => ({ ...newest(scene), rootUsers: [seventh(scene)] }),
      [`${type}_V6`]: (scene) => ({ ...named(scene), rootUsers: [sixth(scene)], ...optOuts, wallet: wallet(scene) }),
      [`${type}_V5`]: (scene) => ({
        ...named(scene),
        rootUsers: [{ ...older(scene), oauthProviders: [byToken(scene)] }],
        ...optOuts,
        wallet: undefined,
      }),
      [`${type}_V4`]: (scene) => ({ ...named(scene), rootUsers: [older(scene)], ...optOuts, wallet: wallet(scene) }),
      [`${type}_V3`]: (scene) => ({ ...named(scene), rootUsers: [older(scene)], privateKeys: [privateKey(scene)] }),
      [`${type}_V2`]: (scene) => ({ ...named(scene), rootUsers: [older(scene)] }),
      [type]: (scene) => ({ name: scene.text('name'), rootAuthenticator: newPasskey(scene) }),
    },
    refused: [(scene) => ({ ...newest(scene), rootQuorumThreshold: 2 }), 'REQUEST_INVALID'],
    shows: () => ({ wallet: undefined, privateKeys: undefined }),
  }),
  example(deleteSubOrganization, {
    valid: () => ({ deleteWithoutExport: true }),
    refused: [{ deleteWithoutExport: 'yes' }, 'REQUEST_INVALID'],
    where: 'below',
  }),
  asking(
    listSuborgs,
    async ({ made }) => {
      const { subOrganizationId } = await made(createSubOrganization)
      return {
        request: { filterType: undefined, filterValue: undefined, paginationOptions: { limit: '100' } },
        shows: { organizationIds: [subOrganizationId] },
      }
    },
    { refused: [{ filterType: 'COLOUR', filterValue: 'red' }, 'REQUEST_INVALID'] },
  ),
  asking(
    listVerifiedSuborgs,
    async ({ made }) => {
      await made(createSubOrganization)
      return {
        request: { filterType: undefined, filterValue: undefined, paginationOptions: { limit: '100' } },
        shows: { organizationIds: [] },
      }
    },
    { refused: [{ filterType: 'NAME', filterValue: 'red' }, 'REQUEST_INVALID'] },
  ),
  asking(
    findVerifiedUser,
    async () => ({
      request: { verificationToken: undefined, oidcToken: google.token({ email: NEW, email_verified: true }) },
      shows: { otpType: 'OTP_TYPE_EMAIL', contact: NEW },
    }),
    { refused: [{ verificationToken: 'a.b.c' }, 'REQUEST_INVALID'] },
  ),
]

const KEY = 'a public key of a provider, by which an audit verifies tokens'

export const texts = {
  features: ORGANIZATION,
  subOrganizationUuid: AUDITED,
  ...Object.fromEntries(['tokenKeys', 'kty', 'crv', 'n', 'e', 'x', 'y'].map((member) => [member, KEY])),
}
