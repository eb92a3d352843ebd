import { generateKey, type SigningKey } from 'countersign/signatures'
import { defaultLimits } from '../../core/world/with-host.ts'
import { NEW_KEYS_MAX } from '../../../core/resources/api-key/new-api-keys.ts'
import { apiKeyOf, userOf } from '../people.ts'
import type { Stage } from './stage.ts'

/** A user of the attacker's organization. */
export type Member = { readonly userId: string; readonly key: SigningKey }

export type CrowdOptions = {
  readonly users: number
  /** Of each user: those that do not expire first, as many as may be, then those that do. */
  readonly keysEach?: number
  readonly keyName?: string
  /** Tags that every one of them has. */
  readonly tags?: number
}

const { longLivedApiKeys, expiringApiKeys } = defaultLimits

/** All that may be beside the root user and the tag that are there: as many users, keys and tags, and the longest names. */
export const FULL = {
  users: defaultLimits.users - 1,
  keysEach: longLivedApiKeys + expiringApiKeys,
  keyName: '😀'.repeat(256),
  tags: defaultLimits.userTags - 1,
} as const satisfies CrowdOptions

/** Fills the organization with users. */
export const crowd = async (
  stage: Stage,
  { users, keysEach = 1, keyName = 'key', tags = 0 }: CrowdOptions,
): Promise<readonly Member[]> => {
  const tagIds: string[] = []
  for (let n = 0; n < tags; n += 1)
    tagIds.push(idIn(await stage.submit('create_user_tag', { userTagName: `tag ${n}`, userIds: [] }), 'userTagId'))
  const members: Member[] = []
  const atOnce = Math.floor(NEW_KEYS_MAX / keysEach)
  while (members.length < users) {
    const size = Math.min(atOnce, users - members.length)
    const keys = Array.from({ length: size }, () => Array.from({ length: keysEach }, aKey))
    const answer = await stage.submit('create_users', {
      users: keys.map((own, n) =>
        userOf(
          `user ${members.length + n}`,
          own.map((key, index) => ({ ...apiKeyOf(key, keyName), ...expiring(index) })),
          tagIds,
        ),
      ),
    })
    const userIds = JSON.parse(/"userIds":(\[[^\]]*\])/.exec(resultIn(answer))?.[1] ?? '[]') as readonly string[] // of this operation
    for (const [n, userId] of userIds.entries()) members.push({ userId, key: keys[n]?.[0] ?? aKey() })
  }
  return members
}

const aKey = (): SigningKey => generateKey('API_KEY_CURVE_P256')

const expiring = (index: number) => (index < longLivedApiKeys ? {} : { expirationSeconds: '86400' })

const resultIn = (answer: string): string => answer.slice(answer.indexOf('"result":'))

/** The first id of that name in the result of an activity. */
export const idIn = (answer: string, name: string): string => {
  const found = new RegExp(`"${name}":"([0-9a-f-]{36})"`).exec(resultIn(answer))?.[1]
  if (found === undefined) throw new Error(`no ${name} in ${answer.slice(0, 200)}`)
  return found
}

export const activityIdIn = (answer: string): string => /"activity":\{"id":"([0-9a-f-]{36})"/.exec(answer)?.[1] ?? ''

export const fingerprintIn = (answer: string): string => /"fingerprint":"(sha256:[0-9a-f]{64})"/.exec(answer)?.[1] ?? ''
