/** Requests that are wrong in thousands of places, or in the last place where a server looks. */
import { randomUUID } from 'node:crypto'
import { generateKey, type SigningKey } from 'countersign/signatures'
import { NEW_KEYS_MAX } from '../../../core/resources/api-key/new-api-keys.ts'
import { defaultLimits } from '../../core/world/with-host.ts'
import type { Attack } from './attack.ts'
import { entriesOf, IDS_MAX, VALUES_MAX } from './bodies.ts'
import { asking } from './salvos.ts'
import type { Stage } from './stage.ts'
import { userOf } from '../people.ts'

const ids = (count: number): readonly string[] => Array.from({ length: count }, () => randomUUID())

/** How many times something is prepared that a server would recognize if it came again. */
const VARIANTS = 40

export const variants = (make: (n: number) => Uint8Array, count = VARIANTS): readonly Uint8Array[] =>
  Array.from({ length: count }, (_, n) => make(n))

export const newKeys = (count: number, curve: SigningKey['curve']) =>
  Array.from({ length: count }, (_, n) => {
    const { publicKey } = generateKey(curve)
    return { apiKeyName: `key ${n}`, publicKey, curveType: curve }
  })

/** A text of the right form that is no point of the curve. */
export const noPoint = (curveType: SigningKey['curve']) => ({
  apiKeyName: 'no key',
  publicKey: curveType === 'API_KEY_CURVE_ED25519' ? `02${'0'.repeat(62)}` : `02${'f'.repeat(64)}`,
  curveType,
})

/** As many keys as one request may register, the last of which is wrong: everything is checked, and nothing is kept. */
const allKeys = (curve: SigningKey['curve']): Attack => ({
  name: `all-keys-of-${curve.slice(14).toLowerCase()}`,
  says: 'As many keys as one request may register, the last of which is no point of its curve.',
  answers: [400],
  prepare: async ({ url, submission }) => {
    const keys = [...newKeys(NEW_KEYS_MAX - 1, curve), noPoint(curve)]
    const each = defaultLimits.longLivedApiKeys
    const users = Array.from({ length: NEW_KEYS_MAX / each }, (_, n) =>
      userOf(`user ${n}`, keys.slice(n * each, (n + 1) * each)),
    )
    return asking(
      url,
      variants(() => submission('create_users', { users })),
    )
  },
})

const manyWrong: Readonly<Record<string, (stage: Stage) => Uint8Array>> = {
  'thousands of wrong ids': ({ submission }) =>
    submission('create_user_tag', { userTagName: 'x', userIds: Array.from({ length: VALUES_MAX }, () => 0) }),
  'thousands of unknown users': ({ submission }) =>
    submission('create_user_tag', { userTagName: 'x', userIds: ids(IDS_MAX) }),
  'thousands of unknown tags': ({ submission }) => submission('delete_user_tags', { userTagIds: ids(IDS_MAX) }),
  'thousands of unknown keys': ({ submission, own }) =>
    submission('delete_api_keys', { userId: own.userTagId, apiKeyIds: ids(IDS_MAX) }),
  'thousands of policies to delete': ({ submission }) => submission('delete_policies', { policyIds: ids(IDS_MAX) }),
  'thousands of members of a quorum': ({ submission }) =>
    submission('update_root_quorum', { threshold: 1, userIds: ids(IDS_MAX) }),
  'thousands of users without keys': ({ submission }) =>
    submission('create_users', { users: Array.from({ length: entriesOf(6) }, () => userOf('u')) }),
  'thousands of users of an older form': ({ submission }) =>
    submission('create_users', {
      users: Array.from({ length: entriesOf(7) }, () => ({ ...userOf('u'), accessType: 'no' })),
    }),
  'thousands of policies': ({ submission }) =>
    submission('create_policies', {
      policies: Array.from({ length: entriesOf(3) }, (_, n) => ({ policyName: `p${n}`, effect: 'EFFECT_ALLOW' })),
    }),
  'one user with thousands of tags': ({ submission }) =>
    submission('create_users', { users: [userOf('u', [], ids(IDS_MAX))] }),
  'a user in thousands of unsupported ways': ({ submission }) =>
    submission('create_users', {
      users: [{ ...userOf('u'), oauthProviders: Array.from({ length: VALUES_MAX }, () => 0) }],
    }),
  'a tag moved from thousands of users': ({ submission, own }) =>
    submission('update_user_tag', {
      userTagId: own.userTagId,
      addUserIds: ids(IDS_MAX / 2),
      removeUserIds: ids(IDS_MAX / 2),
    }),
}

const MANY_WRONG = [400, 404]

const manyWrongAttacks: readonly Attack[] = Object.entries(manyWrong).map(([what, make]) => ({
  name: what.replaceAll(' ', '-'),
  says: `A request with ${what}, by the root user.`,
  answers: MANY_WRONG,
  isSingle: true,
  prepare: async (stage) => asking(stage.url, [make(stage), make(stage)], 4),
}))

const allWrong: Attack = {
  name: 'thousands-of-wrong-entries',
  says: 'Requests of the root user with thousands of entries, each wrong in its own way.',
  answers: MANY_WRONG,
  prepare: async (stage) =>
    asking(
      stage.url,
      Object.values(manyWrong).map((make) => make(stage)),
      4,
    ),
}

export const withWrongEntries: readonly Attack[] = [
  allKeys('API_KEY_CURVE_P256'),
  allKeys('API_KEY_CURVE_SECP256K1'),
  allKeys('API_KEY_CURVE_ED25519'),
  allWrong,
  ...manyWrongAttacks,
]
