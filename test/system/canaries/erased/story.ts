import type { Operation, Version } from '../../../../core/definition/operation.ts'
import type { Query } from '../../../../core/definition/query.ts'
import type { Json } from '../../../../core/failure.ts'
import type { ActivityView } from '../../../../core/view/activity-view.ts'
import { generateKey, stamp, type SigningKey } from '../../../../adapters/signatures/signer.ts'
import { operationExamples, queryExamples } from '../../../core/resources/all-examples.ts'
import { lastingKey } from '../../../core/resources/api-key/any-key.ts'
import { newPasskey } from '../../../core/resources/authenticator/new-passkey.ts'
import type { Given, OperationExample } from '../../../core/resources/example.ts'
import { idsIn, type Ids } from '../../../core/resources/leaves.ts'
import { doneOf, json, parametersOf, sceneOf, type Door } from '../../../core/resources/scene.ts'
import { createSubOrganization } from '../../../../core/resources/sub-organization/create-sub-organization.ts'
import { listSuborgs } from '../../../../core/resources/sub-organization/list-suborgs.ts'
import { listEmailEvents } from '../../../../core/resources/email-event/list-email-events.ts'
import { findVerifiedUser } from '../../../../core/resources/sub-organization/find-verified-user.ts'
import { listVerifiedSuborgs } from '../../../../core/resources/sub-organization/list-verified-suborgs.ts'
import { right } from '../../../core/world/world.ts'
import { resources, type ErasedHost } from './host.ts'
import { aviary, type Canary } from './aviary.ts'
import { questionsOf, type Question } from './questions.ts'

export const operations: readonly Operation[] = resources.flatMap((one) => [...one.operations, ...one.unrouted])

export type Answer = { readonly path: string; readonly status: number; readonly text: string }

/** A history in which each text member of each operation has a canary. */
export type Story = {
  readonly organizationId: string
  readonly canaries: readonly Canary[]
  readonly activities: ReadonlyMap<string, string>
  /** Asks every query. */
  readonly askAll: (host: ErasedHost) => Promise<readonly Answer[]>
  /** Deletes and erases the persons. */
  readonly erase: () => Promise<void>
  readonly answers: readonly Answer[]
}

const [root, second, eve, ada] = [0, 1, 2, 3].map(() => generateKey('API_KEY_CURVE_P256')) as [
  SigningKey,
  SigningKey,
  SigningKey,
  SigningKey,
]
const keyOf = ({ publicKey }: SigningKey): Json => ({ apiKeyName: 'key', publicKey, curveType: 'API_KEY_CURVE_P256' })
const userOf = (userName: string, key: SigningKey) => ({ userName, apiKeys: [keyOf(key)] })
const wholeUser = (name: string, key: SigningKey) => ({
  ...userOf(name, key),
  authenticators: [],
  oauthProviders: [],
  userTags: [],
})

/** Whom a result tells of. */
type Told = {
  readonly userIds?: readonly string[]
  readonly invitationIds?: readonly string[]
  readonly invitationId?: string
}

/** What is said of a request beyond its parameters. */
type More = { readonly by?: SigningKey; readonly address?: string; readonly remark?: string }

const [CREATE_ORGANIZATION, CREATE_API_KEYS] = ['ACTIVITY_TYPE_CREATE_ORGANIZATION', 'ACTIVITY_TYPE_CREATE_API_KEYS_V2']
const UPDATE_USER = 'ACTIVITY_TYPE_UPDATE_USER'
/** For how many persons the operations are played that have personal data. */
const PERSONS = 4

/**
 * Whether its persons are of this log. Those of an organization below are erased there and here, when they were deleted there by their own
 * keys: `npm run crash -- --erasures` and the golden log tell such stories.
 */
export const isOfOneLog = (operation: Operation): boolean => operation !== createSubOrganization

/**
 * Whether its requests hold data of a person. Bundles and sessions are data of the requester, who is not erased here, and stand in no request; nor does
 * a request of otp_auth tell whom its code is about.
 */
const isAboutPersons = ({ personal, path }: Operation): boolean =>
  personal.areThere &&
  !/^(?:init_import|export)_|^(?:stamp_login|create_read_only_session|otp_auth|recover_user)$/.test(path)

/** Whose examples tell of organizations below, or write to somebody who is no user. */
const OF_OTHERS: readonly Query[] = [listSuborgs, listVerifiedSuborgs, findVerifiedUser, listEmailEvents]

export const tell = async (host: ErasedHost, organizationId: string): Promise<Story> => {
  const birds = aviary()
  const ids: Ids = new Map()
  /** Those who will be erased, some of whom are deleted before. */
  const [persons, deleted] = [new Set<string>(), new Set<string>()]
  /** Those who were invited, with what has become of it: they go by the ids of their invitations, also as users. */
  const invited = new Map<string, 'open' | 'revoked' | 'user'>()
  const activities = new Map<string, string>()
  const answers: Answer[] = []
  const questions: Question[] = []
  let nonce = 0
  let sent = ''
  let people = { root: '', second: '' }

  const bodyOf = (type: string, parameters: Json, { remark = '' }: More): Uint8Array => {
    nonce += 1
    const body = { type, timestampMs: String(Date.now()), organizationId, parameters, nonce: String(nonce), remark }
    const text = JSON.stringify(body)
    sent += text
    return Buffer.from(text)
  }
  const post = async (url: string, path: string, body: Uint8Array, { by = root, address = '192.0.2.1' }: More = {}) => {
    const headers = { 'x-stamp': stamp(by, body), 'x-forwarded-for': address }
    const response = await fetch(`${url}/public/v1/${path}`, { method: 'POST', headers, body: Buffer.from(body) })
    const answer = { path, status: response.status, text: await response.text() }
    answers.push(answer)
    return answer
  }
  const ask = async (url: string, path: string, members: Json, more?: More): Promise<Answer> =>
    post(url, `query/${path}`, Buffer.from(JSON.stringify({ organizationId, ...(members as object) })), more) // of a query
  const learn = ({ id, status, result }: ActivityView, type: string): void => {
    activities.set(id, `${type} ${status}`)
    idsIn({ activityId: id, ...result }, ids)
    const { userIds, invitationIds, invitationId } = Object.values(result)[0] as Told // of those types
    if (/_CREATE_(?:API_ONLY_)?USERS/.test(type)) for (const one of userIds ?? []) persons.add(one)
    // The id of the activity stands for who holds the card, until the payment method says something else.
    if (/_(?:SET|UPDATE)_PAYMENT_METHOD/.test(type)) for (const one of [persons, deleted]) one.add(id)
    for (const one of invitationIds ?? []) invited.set(one, 'open')
    if (invitationId !== undefined) invited.set(invitationId, /_ACCEPT_/.test(type) ? 'user' : 'revoked')
    if (/_DELETE_USERS/.test(type)) for (const one of userIds ?? []) deleted.add(one)
  }
  const sendTo = async (url: string, path: string, type: string, body: Uint8Array, more: More) => {
    const answer = await post(url, `submit/${path}`, body, more)
    const shown = (JSON.parse(answer.text) as { readonly activity?: ActivityView }).activity
    if (shown?.status === 'ACTIVITY_STATUS_COMPLETED') learn(shown, type)
    else if (shown !== undefined) activities.set(shown.id, `${type} ${shown.status}`)
    return { answer, shown, body }
  }
  const submit = (path: string, type: string, parameters: Json, more: More = {}) =>
    sendTo(host.url, path, type, bodyOf(type, parameters, more), more)
  const remark = (): string => birds.next('remark', 'a request that names a person')
  const whoami = async (by: SigningKey): Promise<string> =>
    (JSON.parse((await ask(host.url, 'whoami', {}, { by })).text) as { readonly userId: string }).userId

  const begin = async (): Promise<void> => {
    const type = CREATE_ORGANIZATION
    const { text, phoneNumber, ...scene } = sceneOf(doorTo(''), type)
    const contacts = { userEmail: `${text('userEmail')}@example.com`, userPhoneNumber: phoneNumber('userPhoneNumber') }
    const whole = { ...scene, text, phoneNumber }
    const apiKeys: Given[] = [lastingKey(whole), keyOf(ada)]
    const person = { userName: text('userName'), ...contacts, apiKeys, authenticators: [newPasskey(whole)] }
    const rootUsers = [userOf('root', root), person]
    const parameters = { organizationName: text('organizationName'), rootUsers, rootQuorumThreshold: 1 }
    const body = bodyOf(type, json(parameters), { remark: remark() })
    const request = { headers: { 'x-stamp': stamp(root, body) }, body, address: '192.0.2.1' }
    activities.set(right(await host.engine.createOrganization(request)()).activity.id, type)
    const feature = { name: 'FEATURE_NAME_ROOT_USER_EMAIL_RECOVERY', value: '' }
    await submit('set_organization_feature', 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', feature)
    const rootId = await whoami(root)
    persons.add(await whoami(ada))
    for (const key of [second, eve])
      await submit('create_users', 'ACTIVITY_TYPE_CREATE_USERS_V4', {
        users: [wholeUser(key === eve ? 'eve' : 'second', key)],
      })
    people = { root: rootId, second: await whoami(second) }
    for (const id of [people.second, await whoami(eve)]) persons.delete(id)
  }

  /** Examples about a person, with canaries in their texts. */
  const doorTo = (user: string): Door => ({
    root: people.root,
    user,
    words: birds.words,
    submit: async (operation, type, parameters) => {
      const more = isAboutPersons(operation) ? { remark: remark() } : {}
      const { answer, shown } = await submit(operation.path, type, parameters, more)
      if (shown === undefined) throw new Error(`${type}: ${answer.text}`)
      return doneOf(shown)
    },
    ask: async ({ path }, members) => JSON.parse((await ask(host.url, path, members)).text) as unknown,
  })
  const perform = async (example: OperationExample, { type, codec }: Version): Promise<void> => {
    const { operation } = example
    const users = [...persons].filter((id) => !deleted.has(id)).slice(0, isAboutPersons(operation) ? PERSONS : 1)
    for (const user of users) {
      const door = doorTo(user)
      const contact = { userId: user, userEmail: 'user@example.com' } // to which the examples send their codes
      if (operation.path.startsWith('init_otp'))
        await submit('update_user_email', 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', contact)
      if (codec !== undefined) await door.submit(operation, type, json(await parametersOf(door, example, type)))
      else {
        const unsupported = await example.valid.get(operation.type)?.(sceneOf(door, type))
        await submit(operation.path, type, json(unsupported))
      }
    }
  }
  /** The person who may approve asks for things, from an own address. */
  const actedBy = async (): Promise<void> => {
    const address = '2001:db8:ca:fe::77'
    birds.canaries.push({ text: address, member: 'address', type: 'a request of the person' })
    const more = { by: ada, address, remark: birds.next('remark', 'a request that the person made') }
    await submit('create_user_tag', 'ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'of ada', userIds: [] }, more)
  }

  /** Requests that name a person end in each way that there is. */
  const endings = async (): Promise<void> => {
    const userIds = [people.root, people.second]
    const quorum = 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM'
    await submit('update_root_quorum', quorum, { threshold: 2, userIds })
    const tag = await submit('create_user_tag', 'ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'short', userIds: [] })
    const vote = (selection: string, shown: ActivityView | undefined, by = second) =>
      submit(
        `${selection}_activity`,
        `ACTIVITY_TYPE_${selection.toUpperCase()}_ACTIVITY`,
        { fingerprint: shown?.fingerprint ?? '' },
        { by },
      )
    const tagged = await vote('approve', tag.shown)
    const late = (doneOf(tagged.shown as ActivityView).result as { readonly userTagId: string }).userTagId // it is there
    const userId = [...persons].filter((id) => !deleted.has(id))[2] ?? ''
    const requests: readonly (readonly [path: string, type: string, (publicKey: string) => Given])[] = [
      ['update_user', UPDATE_USER, () => ({ userId, ...changes(UPDATE_USER), userTagIds: [late] })],
      [
        'create_api_keys',
        CREATE_API_KEYS,
        (publicKey) => ({ userId, apiKeys: [{ ...lastingKey(sceneOf(doorTo(userId), CREATE_API_KEYS)), publicKey }] }),
      ],
    ]
    for (const [path, type, make] of requests) {
      const asked = (more: More = {}, publicKey = generateKey('API_KEY_CURVE_P256').publicKey) =>
        submit(path, type, json(make(publicKey)), { remark: remark(), ...more })
      await asked({ by: eve }) // denied
      await asked() // waits for ever
      await vote('reject', (await asked()).shown)
      const copied = await asked()
      await sendTo(host.url, path, type, copied.body, { by: second }) // the vote is a copy of the request
      const publicKey = generateKey('API_KEY_CURVE_P256').publicKey
      const fails = await asked({}, publicKey)
      if (path === 'create_api_keys') await vote('approve', (await asked({}, publicKey)).shown)
      else {
        const gone = await submit('delete_user_tags', 'ACTIVITY_TYPE_DELETE_USER_TAGS', { userTagIds: [late] })
        await vote('approve', gone.shown)
      }
      await vote('approve', fails.shown)
    }
    await vote('approve', (await submit('update_root_quorum', quorum, { threshold: 1, userIds })).shown)
  }
  const changes = (type: string) => {
    const { text, phoneNumber } = birds.words(type)
    const userEmail = `${text('userEmail')}@example.com`
    return { userName: text('userName'), userEmail, userPhoneNumber: phoneNumber('userPhoneNumber') }
  }

  /** Requests that are refused: nothing of them may be kept. */
  const refusals = async (): Promise<void> => {
    const [, userId = ''] = persons
    const next = (): string => birds.next('remark', 'a refused request')
    await submit('update_user', UPDATE_USER, { userId, userEmail: next(), userPhoneNumber: next() })
    await submit('update_user', UPDATE_USER, { userId, userName: { [next()]: next() } })
    await submit('update_user', UPDATE_USER, { userId: next(), userName: next() })
  }

  const erase = async (): Promise<void> => {
    for (const invitationId of [...invited.keys()].filter((id) => invited.get(id) === 'open'))
      await submit('delete_invitation', 'ACTIVITY_TYPE_DELETE_INVITATION', { invitationId })
    const accepted = [...invited.keys()].filter((id) => invited.get(id) === 'user')
    const userIds = [...[...persons].filter((id) => !deleted.has(id)), ...accepted]
    await submit('delete_users', 'ACTIVITY_TYPE_DELETE_USERS', { userIds })
    const [asked = ''] = persons
    const { text } = await ask(host.url, 'list_personal_places', { userId: asked })
    const { head } = JSON.parse(text) as { readonly head: Json }
    for (const [index, userId] of [...persons, ...invited.keys()].entries()) {
      const requests = index === 0 ? 'MADE' : 'NAMING'
      await submit('erase_user', 'ACTIVITY_TYPE_ERASE_USER', { userId, requests, head })
    }
  }

  await begin()
  for (const example of operationExamples)
    if (example.operation.path !== 'erase_user' && isOfOneLog(example.operation))
      // the erasure ends the story
      for (const version of example.operation.versions) await perform(example, version)
  await actedBy()
  const [user = ''] = persons
  for (const { query, asked } of queryExamples.filter(({ query }) => !OF_OTHERS.includes(query)))
    questions.push({ query, request: json((await asked(sceneOf(doorTo(user)))).request) })
  await endings()
  await refusals()

  return {
    organizationId,
    canaries: birds.canaries.filter(({ text, member }) => member === 'address' || sent.includes(text)),
    activities,
    answers,
    askAll: async ({ url }) => {
      const from = answers.length
      for (const [path, members] of questionsOf(questions, ids)) await ask(url, path, members)
      return answers.slice(from)
    },
    erase,
  }
}
