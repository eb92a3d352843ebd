import * as t from '../../codec/t.ts'
import { shownTimes, timesOf } from '../records.ts'
import { authenticatorView, AuthenticatorView } from '../authenticator/authenticator-view.ts'
import { apiKeysOf, passkeysOf } from '../../organization/credential.ts'
import type { User } from '../../organization/users.ts'
import { mfaPoliciesOf, MfaPolicyView } from '../mfa-policy/mfa-policy-view.ts'
import { apiKeyView, ApiKeyView } from '../api-key/api-key-view.ts'
import { oauthProviderView, OauthProviderView } from '../oauth-provider/oauth-provider-view.ts'

/** A user as the wire shows it: every list is there, and members that are not set are left out. */
export const UserView = t.named(
  'User',
  t.fields(
    {
      userId: t.Uuid,
      userName: t.string,
      authenticators: t.readonlyArray(AuthenticatorView),
      apiKeys: t.readonlyArray(ApiKeyView),
      userTags: t.readonlyArray(t.Uuid),
      oauthProviders: t.readonlyArray(OauthProviderView),
      mfaPolicies: t.readonlyArray(MfaPolicyView),
      ...shownTimes,
    },
    { userEmail: t.string, userPhoneNumber: t.string },
  ),
)
export type UserView = t.TypeOf<typeof UserView>

export const userView = (user: User): UserView => ({
  userId: user.userId,
  userName: user.userName,
  userEmail: user.userEmail,
  userPhoneNumber: user.userPhoneNumber,
  authenticators: passkeysOf(user).map(authenticatorView),
  apiKeys: apiKeysOf(user).map(apiKeyView),
  userTags: [...user.tagIds],
  oauthProviders: [...user.oauthProviders.values()].map(oauthProviderView),
  mfaPolicies: mfaPoliciesOf(user),
  ...timesOf(user),
})
