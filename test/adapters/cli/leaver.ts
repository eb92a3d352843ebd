import * as assert from 'uvu/assert'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import type { Json } from '../../../core/failure.ts'
import type { Answered, RootClient } from './root-client.ts'

type Made = {
  readonly activity: {
    readonly id: string
    readonly result: { readonly createUsersResult: { readonly userIds: readonly string[] } }
  }
}

/** Creates users of these names in one request. */
export const joined = async (
  root: RootClient,
  names: readonly string[],
): Promise<{ readonly activityId: string; readonly userIds: readonly string[] }> => {
  const { activity } = done(await root.submit('create_users', { users: names.map(userOf) })) as Made // the answer to this submit
  return { activityId: activity.id, userIds: activity.result.createUsersResult.userIds }
}

/** Creates a user and deletes it. */
export const leaver = async (
  root: RootClient,
  name: string,
): Promise<{ readonly activityId: string; readonly userId: string }> => {
  const { activityId, userIds } = await joined(root, [name])
  const [userId = ''] = userIds
  done(await root.submit('delete_users', { userIds: [userId] }))
  return { activityId, userId }
}

/** Erases a user who was deleted, as the command does. */
export const erased = async (root: RootClient, userId: string, requests: 'NAMING' | 'MADE'): Promise<void> => {
  const { head } = done(await root.query('list_personal_places', { userId })) as { readonly head: Json } // the answer to this query
  done(await root.submit('erase_user', { userId, requests, head }))
}

export const done = ({ status, body }: Answered): Answered['body'] => {
  assert.is(status, 200, JSON.stringify(body))
  return body
}

const userOf = (userName: string): Json => ({
  userName,
  userEmail: `${userName.toLowerCase().replaceAll(' ', '.')}@example.com`,
  accessType: 'ACCESS_TYPE_API', // by the first version of the operation, as the client names it
  userTags: [],
  authenticators: [],
  apiKeys: [{ apiKeyName: `laptop of ${userName}`, publicKey: generateKey('API_KEY_CURVE_P256').publicKey }],
})
