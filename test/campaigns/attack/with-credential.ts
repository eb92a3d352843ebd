/** What somebody can do who may do everything in an organization of their own. */
import { nodeSignatures } from 'countersign'
import { generateKey } from 'countersign/signatures'
import { activityIdOf, fingerprintOf, resourceIds } from '../../../core/activity/identity.ts'
import { defaultLimits } from '../../core/world/with-host.ts'
import { ALL_NOTES_LENGTH_MAX, NOTES_LENGTH_MAX } from '../../../core/resources/policy/policy-rules.ts'
import { TYPES_MAX } from '../../../core/resources/activity/list-activities.ts'
import { publicTypes } from '../../../core/resources/public-names.ts'
import { encode } from '../bench/seed.ts'
import type { Attack } from './attack.ts'
import { BYTES_MAX, entriesOf, padded, VALUES_MAX } from './bodies.ts'
import { policyOf, userOf } from '../people.ts'
import { crowd, FULL } from './crowd.ts'
import { asking, dialling, ignoring } from './salvos.ts'
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

/** Types that a list may be asked for, the shortest first: others are refused before anything is read. */
const TYPES = [...publicTypes].toSorted((a, b) => a.length - b.length)

export const withCredential: readonly Attack[] = [
  {
    name: 'list-activities-of-thousands-of-types',
    says: 'A list of activities of as many types as a request can name, and all statuses.',
    answers: [400],
    prepare: async ({ url, question }) => {
      const filterByType = Array.from({ length: VALUES_MAX }, (_, n) => `ACTIVITY_TYPE_${n}`)
      return asking(url, [question('list_activities', { filterByStatus: STATUSES, filterByType })])
    },
  },
  {
    name: 'list-activities-of-the-same-types-again',
    says: 'A list of activities that names the same types and statuses again and again.',
    answers: [200],
    prepare: async ({ url, question }) => {
      const filterByType = Array.from({ length: VALUES_MAX - 7_000 }, (_, n) => TYPES[n % TYPES_MAX])
      const filterByStatus = Array.from({ length: 7_000 }, (_, n) => STATUSES[n % STATUSES.length])
      return asking(url, [question('list_activities', { filterByStatus, filterByType })])
    },
  },
  {
    name: 'list-activities-by-other-types-each-time',
    says: 'Lists of activities by up to 50 types and 7 statuses, in a new shape each time: 350 ways through the index.',
    answers: [200],
    prepare: async ({ url, question }) =>
      asking(
        url,
        variants((n) => {
          const filterByType = Array.from(
            { length: 1 + (n % TYPES_MAX) },
            (_, type) => TYPES[(n + type) % TYPES.length],
          )
          return question('list_activities', {
            filterByStatus: STATUSES.slice(0, 1 + (n % STATUSES.length)),
            filterByType,
          })
        }, TYPES_MAX * STATUSES.length),
      ),
  },
  {
    name: 'create-thousands-of-keys-without-rights',
    says: 'A user with thousands of keys, of which the last is wrong, by a user without rights.',
    answers: [400, 403, 429],
    prepare: async (stage) => {
      const [nobody] = await crowd(stage, { users: 1 })
      const { publicKey, curve } = generateKey('API_KEY_CURVE_P256')
      const key = { apiKeyName: 'k', publicKey, curveType: curve }
      const apiKeys = [...Array.from({ length: entriesOf(4) - 3 }, () => key), noPoint(curve)]
      return asking(
        stage.url,
        variants(() => stage.submission('create_users', { users: [userOf('u', apiKeys)] }, nobody?.key), 10),
        4,
      )
    },
  },
  {
    name: 'denied-users-by-the-thousand',
    says: 'Thousands of users in one request, by a user without rights: it is denied, and the log keeps the denial without the request.',
    answers: [400, 403, 429],
    prepare: async (stage) => {
      const [nobody] = await crowd(stage, { users: 1 })
      const users = Array.from({ length: entriesOf(6) }, () => userOf('u'))
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
    says: 'Lists of all users that there can be, with as many keys and tags, and names as long, as may be.',
    answers: [200],
    prepare: async (stage) => {
      await crowd(stage, FULL)
      return asking(stage.url, [stage.question('list_users')], 4)
    },
  },
  {
    name: 'list-a-full-organization-on-new-connections',
    says: 'The same, each time on another connection: a server accepts one in each turn of the event loop, and the list makes it long.',
    answers: [200],
    prepare: async (stage) => {
      await crowd(stage, FULL)
      return dialling(stage.url, [stage.question('list_users')], 64)
    },
  },
  {
    name: 'keys-that-come-and-go',
    says: 'Keys that are registered and deleted: for a day the organization remembers each of them.',
    answers: [200, 404], // no new key after a thousand: then there is none to delete
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
    server: 'host',
    says: 'Activities whose work never ends, more of them than there are places for work.',
    answers: [0, 200],
    prepare: async (stage) => ({
      ...asking(
        stage.url,
        variants((n) => stage.submission('post_slowly', { text: String(n) }), 4000),
        1000,
      ),
      isEndless: true,
    }),
  },
]

export const envelopeOf = ({ own: { organizationId } }: Stage, type: string) => ({
  type,
  timestampMs: String(Date.now()),
  organizationId,
})

export const rootIdIn = (answer: string): string => /"userId":"([0-9a-f-]{36})"/.exec(answer)?.[1] ?? ''

export const whoami = ({ ask }: Stage): Promise<string> => ask('whoami')

/** Policies with as many characters of notes as there may be. */
const notes = async (stage: Stage): Promise<void> => {
  const count = ALL_NOTES_LENGTH_MAX / NOTES_LENGTH_MAX
  const atOnce = Math.floor(BYTES_MAX / (7 * NOTES_LENGTH_MAX)) // each character takes six bytes, and the rest of a policy some more
  for (let n = 0; n < count; n += atOnce) {
    const policies = Array.from({ length: Math.min(atOnce, count - n) }, (_, m) =>
      policyOf(`policy ${n + m}`, 'DENY', 'false', '', '\u0000'.repeat(NOTES_LENGTH_MAX)),
    )
    await stage.submit('create_policies', { policies })
  }
}

const longActivities = async (stage: Stage, count: number): Promise<void> => {
  for (let n = 0; n < count; n += 1)
    await stage.submit('create_user_tag', { userTagName: `tag ${n}`, userIds: [], more: 'x'.repeat(BYTES_MAX / 2) })
}

/** As many keys as a user may have beside one are registered and deleted, in turn: their ids follow from the request that registers them. */
const comingAndGoing = (stage: Stage, userId: string, times: number): readonly Uint8Array[] => {
  const digest = nodeSignatures()
  const apiKeys = newKeys(defaultLimits.longLivedApiKeys - 1, 'API_KEY_CURVE_P256')
  return Array.from({ length: times }, () => {
    const created = stage.submission('create_api_keys', { userId, apiKeys })
    const fingerprint = fingerprintOf(digest, bodyOf(created))
    const nextId = resourceIds(digest, activityIdOf(digest, stage.own.organizationId, fingerprint))
    return [created, stage.submission('delete_api_keys', { userId, apiKeyIds: apiKeys.map(nextId) })]
  }).flat()
}

const bodyOf = (request: Uint8Array): Uint8Array => request.subarray(Buffer.from(request).indexOf('\r\n\r\n') + 4)
