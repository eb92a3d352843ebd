import { updateOrganizationName } from '../../../../core/resources/organization/update-organization-name.ts'
import { createApiOnlyUsers } from '../../../../core/resources/user/create-api-only-users.ts'
import { createUsers } from '../../../../core/resources/user/create-users.ts'
import { deleteUsers } from '../../../../core/resources/user/delete-users.ts'
import { getUser } from '../../../../core/resources/user/get-user.ts'
import { listUsers } from '../../../../core/resources/user/list-users.ts'
import { updateUserEmail } from '../../../../core/resources/user/update-user-email.ts'
import { updateUserName } from '../../../../core/resources/user/update-user-name.ts'
import { updateUserPhoneNumber } from '../../../../core/resources/user/update-user-phone-number.ts'
import { updateUser } from '../../../../core/resources/user/update-user.ts'
import { whoami } from '../../../../core/resources/user/whoami.ts'
import { createUserTag } from '../../../../core/resources/user-tag/create-user-tag.ts'
import { anyKey, lastingKey } from '../api-key/any-key.ts'
import { newPasskey, olderPasskey } from '../authenticator/new-passkey.ts'
import { byToken, byTokenAndClaims } from '../oauth-provider/examples.ts'
import { asking, example, NOBODY, PERSONAL, type Members, type Scene } from '../example.ts'

const email = ({ text }: Scene): string => `${text('userEmail')}@example.com`
const person = async (scene: Scene) => ({
  userName: scene.text('userName'),
  userEmail: email(scene),
  userTags: [(await scene.made(createUserTag)).userTagId],
})
const ofToday = async (scene: Scene): Promise<Members> => ({
  ...(await person(scene)),
  userPhoneNumber: scene.phoneNumber('userPhoneNumber'),
  apiKeys: [lastingKey(scene)],
  authenticators: [newPasskey(scene)],
  oauthProviders: byTokenAndClaims(scene),
})
const keyOfThen = (scene: Scene) => ({ ...anyKey(scene), expirationSeconds: undefined })

const creation = {
  valid: async (scene: Scene) => ({ users: [await ofToday(scene)] }),
  older: {
    ACTIVITY_TYPE_CREATE_USERS_V3: async (scene: Scene) => ({
      users: [{ ...(await ofToday(scene)), oauthProviders: [byToken(scene)] }],
    }),
    ACTIVITY_TYPE_CREATE_USERS_V2: async (scene: Scene) => ({
      users: [{ ...(await person(scene)), apiKeys: [keyOfThen(scene)], authenticators: [newPasskey(scene)] }],
    }),
    ACTIVITY_TYPE_CREATE_USERS: async (scene: Scene) => ({
      users: [
        {
          ...(await person(scene)),
          accessType: 'ACCESS_TYPE_ALL',
          apiKeys: [keyOfThen(scene)],
          authenticators: [olderPasskey(scene)],
        },
      ],
    }),
  },
}

export const examples = [
  example(createUsers, { ...creation, refused: [{ users: [] }, 'REQUEST_INVALID'] }),
  example(createApiOnlyUsers, {
    valid: async (scene) => ({ apiOnlyUsers: [{ ...(await person(scene)), apiKeys: [keyOfThen(scene)] }] }),
    refused: [{ apiOnlyUsers: [] }, 'REQUEST_INVALID'],
  }),
  example(updateUser, {
    valid: async (scene) => ({
      userId: scene.user,
      userName: scene.text('userName'),
      userEmail: email(scene),
      userPhoneNumber: scene.phoneNumber('userPhoneNumber'),
      userTagIds: [(await scene.made(createUserTag)).userTagId],
    }),
    refused: [{ userId: NOBODY, userName: 'Ada' }, 'RESOURCE_NOT_FOUND'],
  }),
  example(updateUserName, {
    valid: ({ text, user: userId }) => ({ userId, userName: text('userName') }),
    refused: [({ user: userId }) => ({ userId, userName: '' }), 'REQUEST_INVALID'],
  }),
  example(updateUserEmail, {
    valid: (scene) => ({ userId: scene.user, userEmail: email(scene), verificationToken: undefined }),
    refused: [({ user: userId }) => ({ userId, userEmail: 'ada' }), 'REQUEST_INVALID'],
  }),
  example(updateUserPhoneNumber, {
    valid: ({ phoneNumber, user: userId }) => ({
      userId,
      userPhoneNumber: phoneNumber('userPhoneNumber'),
      verificationToken: undefined,
    }),
    refused: [({ user: userId }) => ({ userId, userPhoneNumber: '44' }), 'REQUEST_INVALID'],
  }),
  example(deleteUsers, {
    valid: async ({ made }) => ({ userIds: (await made(createUsers)).userIds }),
    refused: [{ userIds: [NOBODY] }, 'RESOURCE_NOT_FOUND'],
  }),
  asking(whoami, async ({ made, root: userId }) => ({
    request: {},
    shows: { ...(await made(updateOrganizationName)), userId, username: 'root' },
  })),
  asking(getUser, ({ user: userId }) => ({ request: { userId }, shows: { user: { userId } } }), {
    refused: [{ userId: NOBODY }, 'RESOURCE_NOT_FOUND'],
  }),
  asking(listUsers, ({ root, user }) => ({ request: {}, shows: { users: [{ userId: root }, { userId: user }] } })),
]

export const texts = { userName: PERSONAL, userEmail: PERSONAL, userPhoneNumber: PERSONAL }
