import type { Json } from '../../../core/failure.ts'
import { REQUEST } from '../../../core/log/parts.ts'
import { eraseUser, erasure } from '../../../core/resources/erasure/erasure.ts'
import { readRanges, writeSequences } from '../../../core/resources/erasure/sequences.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import type { ActivityView } from '../../../core/view/activity-view.ts'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { right, stamped, type Signer, type World } from '../world/world.ts'
import { must, type Draft } from './forgery.ts'
import { audited, exported, trio, type Trio } from './logs.ts'

/** A person with a contact, and where the log has data of them. */
export type Somebody = Signer & { readonly userId: string }

/** An organization with erasures, in which two of three have to agree. */
export type Office = Trio & { readonly bob: Somebody; readonly carol: Somebody; readonly before: string }

const EMAIL = 'bob@example.com'

/**
 * Bob and Carol are created together. Bob is changed, makes requests from an address and votes, and a policy asks for his e-mail address. Then he
 * is deleted.
 */
export const office = async (store: Storage = memoryStore()): Promise<Office> => {
  let people: readonly [Somebody, Somebody] | undefined
  const made = await trio({ store, resources: [...publicApi, ...erasure] }, async (w) => {
    people = await createTwo(w)
    await byRootAlone(w, ...people)
  })
  const [bob, carol] = must(people)
  const { ada, approve, done, grace } = made
  const deletion = await done(ada, 'delete_users', { userIds: [bob.userId] })
  right(await approve(grace, deletion))
  return { ...made, bob, carol, before: await exported(store.store) }
}

/** Ada asks for the erasure of a user, and Grace approves it. */
export const erased = async (
  { ada, approve, clock, done, grace, storage }: Trio,
  userId: string,
  requests?: 'MADE',
): Promise<{ readonly activity: ActivityView; readonly text: string }> => {
  clock.pass(1000)
  const asked = await done(ada, 'erase_user', { userId, ...(requests === undefined ? {} : { requests }) })
  const activity = right(await approve(grace, asked))
  return { activity, text: await exported(storage.store) }
}

/** Audits with the erasure among the operations. */
export const auditedWith = (text: string) => audited(text, {}, [eraseUser])

const createTwo = async (w: World): Promise<readonly [Somebody, Somebody]> => {
  const keys = [generateKey('API_KEY_CURVE_P256'), generateKey('API_KEY_CURVE_P256')] as const
  const [bob, carol] = keys.map(({ publicKey }, n) => ({
    userName: ['Bob', 'Carol'][n] ?? '',
    userEmail: [EMAIL, 'carol@example.com'][n] ?? '',
    apiKeys: [{ apiKeyName: 'laptop', publicKey, curveType: 'API_KEY_CURVE_P256' }],
    authenticators: [],
    oauthProviders: [],
    userTags: [],
  }))
  const created = await w.done(w.root, 'create_users', { users: [must(bob), must(carol)] })
  const { userIds } = created.result.createUsersResult as { readonly userIds: readonly string[] }
  return [
    { key: keys[0], userId: must(userIds[0]) },
    { key: keys[1], userId: must(userIds[1]) },
  ]
}

const byRootAlone = async (w: World, bob: Somebody, carol: Somebody): Promise<void> => {
  const policy = (policyName: string, condition: string, consensus: string) =>
    w.done(w.root, 'create_policy', { policyName, effect: 'EFFECT_ALLOW', condition, consensus, notes: '' })
  await policy(
    'tags',
    "activity.type == 'ACTIVITY_TYPE_CREATE_USER_TAG'",
    `approvers.any(user, user.email == '${EMAIL}')`,
  )
  await policy('policies', "activity.resource == 'POLICY'", `approvers.any(user, user.id == '${bob.userId}')`)
  await w.done(w.root, 'update_user', { userId: bob.userId, userPhoneNumber: '+14155550123' })
  const from = (person: Signer, path: string, parameters: Json) =>
    w.engine.submit(path, { ...stamped(person, w.body(path, parameters)), address: '192.0.2.7' })()
  right(await from(bob, 'create_user_tag', { userTagName: 'by e-mail', userIds: [] }))
  const waiting = right(await from(carol, 'create_user_tag', { userTagName: 'carol asks', userIds: [carol.userId] }))
  right(await w.approve(bob, waiting))
  await from(carol, 'update_user', { userId: carol.userId, userName: 'C' }) // denied
  right(await from(bob, 'create_policy', BY_ID))
}

/** What Bob may do by his id, which nobody erases. */
const BY_ID = { policyName: 'by id', effect: 'EFFECT_DENY', condition: 'false', consensus: 'false', notes: '' }

/** The conclusion of an erasure. */
export const completion = (drafts: readonly Draft[]): Draft =>
  must(drafts.find(({ event }) => event.type === 'ActivityCompleted' && event.data.type === eraseUser.type))

type Entry = { name: string; sequences: string }

/** The places in the list of an erasure. */
export const listed = (drafts: readonly Draft[]): readonly { readonly name: string; readonly sequence: bigint }[] =>
  entriesOf(completion(drafts)).flatMap(({ name, sequences }) =>
    sequencesIn(sequences).map((sequence) => ({ name, sequence })),
  )

/** Changes the list of an erasure, in all places where it stands. */
export const relist = (drafts: readonly Draft[], change: (name: string, sequences: bigint[]) => bigint[]): void => {
  const { event } = completion(drafts)
  const entries = entriesOf({ event })
  const names = [...new Set([...entries.map(({ name }) => name), REQUEST])]
  const after = names
    .map((name) => {
      const before = entries.find((one) => one.name === name)
      const sequences = change(name, sequencesIn(before?.sequences ?? ''))
      return { name, sequences: [...new Set(sequences)].toSorted((a, b) => (a < b ? -1 : 1)) }
    })
    .filter(({ sequences }) => sequences.length > 0)
  const erasedParts = after.reduce((sum, { sequences }) => sum + sequences.length, 0)
  const list = after.map(({ name, sequences }) => ({ name, sequences: writeSequences(sequences) }))
  for (const member of ['change', 'performed']) Object.assign(event.data[member] as object, { erased: list })
  Object.assign(event.data.result as object, { erasedParts })
}

const entriesOf = ({ event }: Pick<Draft, 'event'>): readonly Entry[] =>
  (event.data.change as { readonly erased: readonly Entry[] }).erased // our own log

const sequencesIn = (written: string): bigint[] =>
  must(readRanges(written)).flatMap(({ from, to }) =>
    Array.from({ length: Number(to - from) + 1 }, (_, n) => from + BigInt(n)),
  )

/** Takes a part away, without a trace of who did it. */
export const takeAway = (draft: Draft, name: string): void => {
  const hash = must(draft.event.parts[name])
  if (name === REQUEST) draft.request = undefined
  else draft.others = (draft.others ?? []).filter((one) => one.name !== name)
  draft.erased = { ...draft.erased, [name]: hash }
}

/** The names of the parts of an event that are there. */
export const partsThere = ({ request, others = [] }: Draft): readonly string[] => [
  ...others.map(({ name }) => name),
  ...(request === undefined ? [] : [REQUEST]),
]

/** The events with decisions: those that rest on a request of their own. */
export const decided = (all: readonly Draft[]): readonly Draft[] =>
  all.filter(({ event }) => event.data.decision !== undefined)

/** Whether an event names a type of activities, in any version. */
export const isOf =
  (type: string) =>
  ({ event }: Draft): boolean =>
    typeof event.data.type === 'string' && event.data.type.startsWith(`ACTIVITY_TYPE_${type}`)
