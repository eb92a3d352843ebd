/** What somebody can do who may do everything in an organization of their own. */
import { nodeSignatures } from 'countersign'
import { generateKey } from 'countersign/signatures'
import { activityIdOf, fingerprintOf, resourceIds } from '../../core/activity/identity.ts'
import { encode } from '../bench/seed.ts'
import type { Attack } from './attack.ts'
import { BYTES_MAX, padded } from './bodies.ts'
import { crowd, policyOf, userOf } from './crowd.ts'
import { asking, ignoring } from './salvos.ts'
import { stamped, type Stage } from './stage.ts'
import { newKeys, noPoint, variants } from './with-wrong-entries.ts'

const STATUSES = [
  'CREATED',
  'PENDING',
  'COMPLETED',
  'FAILED',
  'CONSENSUS_NEEDED',
  'REJECTED',
  'AUTHENTICATORS_NEEDED',
].map((status) => `ACTIVITY_STATUS_${status}`)

export const withCredential: readonly Attack[] = [
  {
    name: 'list-activities-of-30000-types',
    says: 'A list of activities of 30,000 types and all statuses.',
    answers: [400, 413],
    prepare: async ({ url, question }) => {
      const filterByType = Array.from({ length: 30_000 }, (_, n) => `ACTIVITY_TYPE_${n}`)
      return asking(url, [question('list_activities', { filterByStatus: STATUSES, filterByType })])
    },
  },
  {
    name: 'list-activities-of-one-type-20000-times',
    says: 'A list of activities that names the same 50 types and 7 statuses again and again.',
    answers: [200],
    prepare: async ({ url, question }) => {
      const filterByType = Array.from({ length: 20_000 }, (_, n) => `T${n % 50}`)
      const filterByStatus = Array.from({ length: 7_000 }, (_, n) => STATUSES[n % 7])
      return asking(url, [question('list_activities', { filterByStatus, filterByType })])
    },
  },
  {
    name: 'list-activities-by-other-types-each-time',
    says: 'Lists of activities by 50 types and 7 statuses, in a new shape each time: 350 ways through the index.',
    answers: [200],
    prepare: async ({ url, question }) =>
      asking(
        url,
        variants((n) => {
          const filterByType = Array.from({ length: 1 + (n % 50) }, (_, type) => `T${n}-${type}`)
          return question('list_activities', { filterByStatus: STATUSES.slice(0, 1 + (n % 7)), filterByType })
        }, 350),
      ),
  },
  {
    name: 'create-7880-keys-without-rights',
    says: 'Users with 7,880 keys, of which the last is wrong, by a user without rights.',
    answers: [400, 403, 429],
    prepare: async (stage) => {
      const [nobody] = await crowd(stage, { users: 1 })
      const { publicKey, curve } = generateKey('API_KEY_CURVE_P256')
      const key = { apiKeyName: 'k', publicKey, curveType: curve }
      const apiKeys = [...Array.from({ length: 5_600 }, () => key), noPoint(curve)]
      return asking(
        stage.url,
        variants(() => stage.submission('create_users', { users: [userOf('u', apiKeys)] }, nobody?.key), 10),
        4,
      )
    },
  },
  {
    name: 'denied-users-by-the-thousand',
    says: 'Thousands of users in one request, by a user without rights: it is denied, and the denial is kept with the request.',
    answers: [400, 403, 429],
    prepare: async (stage) => {
      const [nobody] = await crowd(stage, { users: 1 })
      const users = Array.from({ length: 4_000 }, () => userOf('u'))
      return asking(
        stage.url,
        variants(() => stage.submission('create_users', { users }, nobody?.key), 20),
        4,
      )
    },
  },
  {
    name: 'activities-of-a-mebibyte',
    says: 'Activities of a mebibyte that wait for approvals.',
    answers: [200],
    prepare: async (stage) => {
      const [second] = await crowd(stage, { users: 1 })
      const rootId = rootIdIn(await whoami(stage))
      await stage.submit('update_root_quorum', { threshold: 2, userIds: [rootId, second?.userId] })
      return asking(
        stage.url,
        variants((n) => {
          const parameters = { userTagName: `tag ${n}`, userIds: [] }
          const body = { ...envelopeOf(stage, 'ACTIVITY_TYPE_CREATE_USER_TAG'), parameters, nonce: n }
          return stamped('submit/create_user_tag', padded(body), stage.own.key)
        }, 100),
      )
    },
  },
  {
    name: 'unread-policies',
    says: 'Lists of policies with the longest notes, asked for again and again on a connection that nobody reads from.',
    answers: [0],
    prepare: async (stage) => {
      await notes(stage)
      return ignoring(
        stage.url,
        Buffer.concat(Array.from({ length: 50 }, () => stage.question('list_policies'))),
        32,
        4,
      )
    },
  },
  {
    name: 'unread-activities',
    says: 'Pages of activities of half a mebibyte, asked for again and again on a connection that nobody reads from.',
    answers: [0],
    prepare: async (stage) => {
      await longActivities(stage, 12)
      const one = stage.question('list_activities', { paginationOptions: { limit: '100' } })
      return ignoring(stage.url, Buffer.concat(Array.from({ length: 50 }, () => one)), 32, 4)
    },
  },
  {
    name: 'list-long-notes',
    says: 'Lists of policies with the longest notes, of characters that JSON writes in six.',
    answers: [200],
    prepare: async (stage) => {
      await notes(stage)
      return asking(stage.url, [stage.question('list_policies')], 4)
    },
  },
  {
    name: 'list-long-activities',
    says: 'Pages of activities that have half a mebibyte each.',
    answers: [200],
    prepare: async (stage) => {
      await longActivities(stage, 12)
      return asking(stage.url, [stage.question('list_activities', { paginationOptions: { limit: '100' } })], 4)
    },
  },
  {
    name: 'list-a-full-organization',
    says: 'Lists of 100 users with 20 keys each, whose names are as long as they may be, and 100 tags.',
    answers: [200],
    prepare: async (stage) => {
      await crowd(stage, { users: 99, keysEach: 20, keyName: '😀'.repeat(256), tags: 99 })
      return asking(stage.url, [stage.question('list_users')], 4)
    },
  },
  {
    name: 'keys-that-come-and-go',
    says: 'Keys that are registered and deleted: for a day the organization remembers each of them.',
    answers: [200],
    prepare: async (stage) => {
      const userId = rootIdIn(await whoami(stage))
      return asking(stage.url, comingAndGoing(stage, userId, 1000), 1)
    },
  },
  {
    name: 'old-stamps-as-queries',
    says: 'The stamped body of an activity, sent as a question.',
    answers: [401],
    prepare: async ({ url, own }) => {
      const type = 'ACTIVITY_TYPE_APPROVE_ACTIVITY'
      const { organizationId } = own
      const body = encode({ type, timestampMs: String(Date.now()), organizationId, parameters: { fingerprint: 'x' } })
      return asking(url, [stamped('query/whoami', body, own.key), stamped('query/list_users', body, own.key)])
    },
  },
  {
    name: 'slow-effects',
    open: 'the system hands over one new connection in each turn of the event loop: a thousand at once are before all others',
    server: 'host',
    says: 'Activities whose work takes a minute, more of them than there are places for work.',
    answers: [0, 200],
    prepare: async (stage) =>
      asking(
        stage.url,
        variants((n) => stage.submission('post_slowly', { text: String(n) }), 4000),
        1000,
      ),
  },
]

export const envelopeOf = ({ own: { organizationId } }: Stage, type: string) => ({
  type,
  timestampMs: String(Date.now()),
  organizationId,
})

export const rootIdIn = (answer: string): string => /"userId":"([0-9a-f-]{36})"/.exec(answer)?.[1] ?? ''

export const whoami = ({ ask }: Stage): Promise<string> => ask('whoami')

/** As many policies as there may be, with notes as long as they may be. */
const notes = async (stage: Stage): Promise<void> => {
  for (let n = 0; n < 16; n += 8) {
    const eight = Array.from({ length: 8 }, (_, m) =>
      policyOf(`policy ${n + m}`, 'DENY', 'false', '', '\u0000'.repeat(16_384)),
    )
    await stage.submit('create_policies', { policies: eight })
  }
}

const longActivities = async (stage: Stage, count: number): Promise<void> => {
  for (let n = 0; n < count; n += 1)
    await stage.submit('create_user_tag', { userTagName: `tag ${n}`, userIds: [], more: 'x'.repeat(BYTES_MAX / 2) })
}

/** Nine keys are registered and deleted, in turn: the ids of keys follow from the request that registers them. */
const comingAndGoing = (stage: Stage, userId: string, times: number): readonly Uint8Array[] => {
  const digest = nodeSignatures()
  const apiKeys = newKeys(9, 'API_KEY_CURVE_P256')
  return Array.from({ length: times }, () => {
    const created = stage.submission('create_api_keys', { userId, apiKeys })
    const fingerprint = fingerprintOf(digest, bodyOf(created))
    const nextId = resourceIds(digest, activityIdOf(digest, stage.own.organizationId, fingerprint))
    return [created, stage.submission('delete_api_keys', { userId, apiKeyIds: apiKeys.map(nextId) })]
  }).flat()
}

const bodyOf = (request: Uint8Array): Uint8Array => request.subarray(Buffer.from(request).indexOf('\r\n\r\n') + 4)
