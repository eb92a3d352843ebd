import { generateKey } from '../../../adapters/signatures/signer.ts'
import { decodeUtf8 } from '../../../core/bytes.ts'
import type { Json } from '../../../core/failure.ts'
import { E } from '../../../core/prelude.ts'
import type { Known } from '../../campaigns/fuzz/routes.ts'
import { operationExamples } from '../../core/resources/all-examples.ts'
import { doneOf, play, requestsOf, type Door } from '../../core/resources/scene.ts'
import { right } from '../../core/world/world.ts'
import type { Citizen, Town } from './town.ts'
import { idsIn } from './words.ts'

/** An organization in which there is one of everything, and activities have come to every end. */
export type Lively = {
  readonly root: Citizen
  readonly ada: Citizen
  readonly known: Known
  /** The ids of the story that is told here; the examples of all operations have made the others. */
  readonly story: ReadonlySet<string>
}

export const lively = async (town: Town, name: string): Promise<Lively> => {
  const root = await town.begin(name)
  const { organizationId } = root
  const created = async (path: string, parameters: Json): Promise<readonly string[]> => [
    ...idsIn(JSON.stringify((await town.submit(root, path, parameters)).result)),
  ]
  const [tagId = ''] = await created('create_user_tag', { userTagName: `tag of ${name}`, userIds: [] })
  const people = await Promise.all(['ada', 'grace'].map((who) => enrolled(town, root, `${who} of ${name}`, tagId)))
  const [ada = root, grace = root] = people
  const policy = { policyName: `policy of ${name}`, effect: 'EFFECT_ALLOW', consensus: 'approvers.count() >= 2' }
  const [policyId = ''] = await created('create_policy', { ...policy, notes: `notes of ${name}` })
  const tag = (which: string): Json => ({ userTagName: `${which} of ${name}`, userIds: [] })
  const waiting = await town.submit(ada, 'create_user_tag', tag('waiting'))
  const rejected = await town.submit(ada, 'create_user_tag', tag('rejected'))
  await town.submit(grace, 'reject_activity', { fingerprint: rejected.fingerprint })
  const failing = await town.submit(ada, 'create_user_tag', tag('twice'))
  await town.submit(root, 'create_user_tag', tag('twice'))
  await town.submit(grace, 'approve_activity', { fingerprint: failing.fingerprint })
  const pending = await town.submit(root, 'post_notice', { text: `notice of ${name}` })
  await town.submit(root, 'attach_note', { aboutId: waiting.id, text: `note of ${name}` })
  const log = await logOf(town, organizationId)
  const story = idsIn(log + (await answersTo(town, { root, known: { organizationId } }, idsIn(log))))
  const guest = await enrolled(town, root, `guest of ${name}`, tagId)
  const examples = await played(town, root, guest)
  const keys = right(await town.ask(root, 'get_api_keys', { organizationId, userId: ada.userId }))
  const apiKeys = (keys as { readonly apiKeys: readonly { readonly apiKeyId: string }[] }).apiKeys
  return {
    root,
    ada,
    story,
    known: {
      organizationId,
      ids: {
        user: [ada.userId],
        tag: [tagId],
        policy: [policyId],
        apiKey: apiKeys.map(({ apiKeyId }) => apiKeyId),
        activity: [waiting.id, pending.id, failing.id],
      },
      fingerprints: [waiting.fingerprint],
      publicKeys: [generateKey('API_KEY_CURVE_P256').publicKey],
      examples,
      canary: `probe of ${name}`,
    },
  }
}

/** Plays each example once, so that there is one of all that any operation makes. Gives requests like them, which are not made yet. */
const played = async (town: Town, root: Citizen, guest: Citizen): Promise<Known['examples']> => {
  const { organizationId } = root
  const door: Door = {
    root: root.userId,
    user: guest.userId,
    submit: async ({ path }, type, parameters) => {
      town.clock.pass(1) // the same bytes would be the same activity: an import needs one begun of its own
      return doneOf(await town.submit(root, path, parameters, type))
    },
    ask: async ({ path }, members) => right(await town.ask(root, path, { organizationId, ...(members as object) })), // of a query
  }
  const { operations } = town.engine.catalogue
  for (const example of operationExamples.filter(({ operation }) => operations.includes(operation)))
    for (const type of example.valid.keys()) await play(door, example, type)
  return requestsOf(door, { operations, queries: town.engine.queries })
}

const enrolled = async (town: Town, root: Citizen, userName: string, tagId: string): Promise<Citizen> => {
  const key = generateKey('API_KEY_CURVE_P256')
  const apiKeys = [{ apiKeyName: `key of ${userName}`, publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }]
  const user = { userName, apiKeys, authenticators: [], oauthProviders: [], userTags: [tagId] }
  const { result } = await town.submit(root, 'create_users', { users: [user] })
  const [userId = ''] = idsIn(JSON.stringify(result))
  return { key, organizationId: root.organizationId, userId }
}

/** All that the log of an organization says, its stamped requests as well. */
export const logOf = async ({ store }: Town, organizationId: string): Promise<string> =>
  right(await store.store.readLog(organizationId, 0n, 100_000)())
    .flatMap(({ line, parts }) => [line, ...parts.map(({ bytes }) => bytes)])
    .map((bytes) => decodeUtf8(bytes) ?? '')
    .join('\n')

/** All that an organization is answered when it asks for everything that it knows: so all of it is in memory, too. */
export const answersTo = async (
  town: Town,
  { root, known }: { readonly root: Citizen; readonly known: Pick<Known, 'organizationId'> },
  ids: ReadonlySet<string>,
): Promise<string> => {
  const { organizationId } = known
  const texts: string[] = []
  const heard = async (path: string, body: { readonly [member: string]: Json }): Promise<void> => {
    const answer = await town.ask(root, path, { organizationId, ...body })
    if (E.isRight(answer)) texts.push(JSON.stringify(answer.right))
  }
  for (const { path } of town.engine.queries) await heard(path, {})
  for (const activityId of ids) {
    await heard('get_activity', { activityId })
    await heard('get_policy_evaluations', { activityId })
  }
  return texts.join('\n')
}
