import type { Operation, Version } from '../../../../core/definition/operation.ts'
import type { Json } from '../../../../core/failure.ts'
import { generateKey, stamp, type SigningKey } from '../../../../adapters/signatures/signer.ts'
import { right } from '../../../core/world/world.ts'
import { resources, type ErasedHost } from './host.ts'
import { LAST, operationRows, queryRows, type Told } from './rows.ts'
import { aviary, filled, type Canary, type Given } from './filled.ts'

export const operations: readonly Operation[] = resources.flatMap((one) => [...one.operations, ...one.unrouted])
export const queries = resources.flatMap((one) => one.queries)

export type Answer = { readonly path: string; readonly status: number; readonly text: string }
type Shown = {
  readonly id: string
  readonly status: string
  readonly fingerprint: string
  readonly result: { readonly [name: string]: { readonly [member: string]: unknown } }
}

/** A history in which each text member of each operation has a canary. */
export type Story = {
  readonly organizationId: string
  readonly canaries: readonly Canary[]
  readonly told: Told
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

/** What is said of a request beyond its parameters. */
type More = { readonly by?: SigningKey; readonly address?: string; readonly remark?: string }

export const tell = async (host: ErasedHost, organizationId: string): Promise<Story> => {
  const birds = aviary()
  const told = {
    root: '',
    second: '',
    persons: [] as string[],
    tags: [] as string[],
    policies: [] as string[],
    apiKeys: [] as string[],
    authenticators: [] as string[],
    head: null as Json,
  }
  const activities = new Map<string, string>()
  const answers: Answer[] = []
  let nonce = 0

  const bodyOf = (type: string, parameters: Json, { remark = '' }: More): Uint8Array => {
    nonce += 1
    const body = { type, timestampMs: String(Date.now()), organizationId, parameters, nonce: String(nonce), remark }
    return Buffer.from(JSON.stringify(body))
  }
  const post = async (url: string, path: string, body: Uint8Array, { by = root, address = '192.0.2.1' }: More = {}) => {
    const headers = { 'x-stamp': stamp(by, body), 'x-forwarded-for': address }
    const response = await fetch(`${url}/public/v1/${path}`, { method: 'POST', headers, body: Buffer.from(body) })
    const answer = { path, status: response.status, text: await response.text() }
    answers.push(answer)
    return answer
  }
  const learn = (shown: Shown | undefined, type: string): void => {
    if (shown === undefined) return
    activities.set(shown.id, `${type} ${shown.status}`)
    for (const result of Object.values(shown.result)) {
      const list = (name: string): readonly string[] => (result[name] ?? []) as readonly string[]
      if (/CREATE_(?:API_ONLY_)?USERS/.test(type)) told.persons.push(...list('userIds'))
      if (typeof result['userTagId'] === 'string') told.tags.push(result['userTagId'])
      if (typeof result['policyId'] === 'string') told.policies.push(result['policyId'])
      if (type.includes('CREATE')) told.policies.push(...list('policyIds'))
      if (type.includes('CREATE_API_KEYS')) told.apiKeys.push(...list('apiKeyIds'))
      if (type.includes('CREATE_AUTHENTICATORS')) told.authenticators.push(...list('authenticatorIds'))
    }
  }
  const sendTo = async (url: string, path: string, type: string, body: Uint8Array, more: More) => {
    const answer = await post(url, `submit/${path}`, body, more)
    const shown = (JSON.parse(answer.text) as { readonly activity?: Shown }).activity
    learn(shown, type)
    return { answer, shown, body }
  }
  const submit = (path: string, type: string, parameters: Json, more: More = {}) =>
    sendTo(host.url, path, type, bodyOf(type, parameters, more), more)
  const remark = (): string => birds.next('remark', 'a request that names a person')

  const begin = async (): Promise<void> => {
    const operation = operations.find(({ path }) => path === 'create_organization')
    const [version] = operation?.versions ?? []
    if (version === undefined) throw new Error('no beginning')
    const all = filled(birds, version, operationRows['create_organization']?.(told, version.type)[0] ?? {})
    const { rootUsers, ...rest } = all as { readonly rootUsers: readonly { readonly apiKeys: readonly Json[] }[] }
    const [person] = rootUsers
    if (person === undefined) throw new Error('no root user')
    const persons = { ...person, apiKeys: [...person.apiKeys, keyOf(ada)] }
    const body = bodyOf(version.type, { ...rest, rootUsers: [userOf('root', root), persons] }, { remark: remark() })
    const request = { headers: { 'x-stamp': stamp(root, body) }, body, address: '192.0.2.1' }
    const begun = right(await host.engine.createOrganization(request)())
    activities.set(begun.activity.id, version.type)
    const whoami = async (by: SigningKey): Promise<string> => {
      const { text } = await post(host.url, 'query/whoami', Buffer.from(JSON.stringify({ organizationId })), { by })
      return (JSON.parse(text) as { readonly userId: string }).userId
    }
    told.root = await whoami(root)
    told.persons.push(await whoami(ada))
    for (const [name, key] of [
      ['second', second],
      ['eve', eve],
    ] as const) {
      await submit('create_users', 'ACTIVITY_TYPE_CREATE_USERS_V4', { users: [wholeUser(name, key)] })
      const id = told.persons.pop() ?? ''
      if (name === 'second') told.second = id
    }
  }

  const perform = async ({ path, personal }: Operation, version: Version, newest: Version): Promise<void> => {
    for (const given of operationRows[path]?.(told, version.type) ?? []) {
      const readable = { type: version.type, codec: version.codec ?? newest.codec }
      const more = personal.areThere && version.codec !== undefined ? { remark: remark() } : {}
      await submit(path, version.type, filled(birds, readable, given), more)
    }
  }
  const performAll = async (one: Operation): Promise<void> => {
    const [newest] = one.versions
    if (newest !== undefined) for (const version of one.versions) await perform(one, version, newest)
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
    const userIds = [told.root, told.second]
    const quorum = 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM'
    await submit('update_root_quorum', quorum, { threshold: 2, userIds })
    const tag = await submit('create_user_tag', 'ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'short', userIds: [] })
    const vote = (selection: string, shown: Shown | undefined, by = second) =>
      submit(
        `${selection}_activity`,
        `ACTIVITY_TYPE_${selection.toUpperCase()}_ACTIVITY`,
        { fingerprint: shown?.fingerprint ?? '' },
        { by },
      )
    await vote('approve', tag.shown)
    const late = told.tags.at(-1) ?? ''
    for (const one of operations.filter(({ path }) => ['update_user', 'create_api_keys'].includes(path))) {
      const [version] = one.versions
      if (version === undefined) continue
      const [userId = ''] = told.persons.slice(2)
      const asked = (more: More = {}, given: Given = {}) =>
        submit(
          one.path,
          version.type,
          filled(birds, version, { userId, userTagIds: [late], expirationSeconds: undefined, ...given }),
          { remark: remark(), ...more },
        )
      await asked({ by: eve }) // denied
      await asked() // waits for ever
      await vote('reject', (await asked()).shown)
      const copied = await asked()
      await sendTo(host.url, one.path, version.type, copied.body, { by: second }) // the vote is a copy of the request
      const publicKey = generateKey('API_KEY_CURVE_P256').publicKey
      const fails = await asked({}, { publicKey })
      if (one.path === 'create_api_keys') await vote('approve', (await asked({}, { publicKey })).shown)
      else {
        const gone = await submit('delete_user_tags', 'ACTIVITY_TYPE_DELETE_USER_TAGS', { userTagIds: [late] })
        await vote('approve', gone.shown)
      }
      await vote('approve', fails.shown)
    }
    await vote('approve', (await submit('update_root_quorum', quorum, { threshold: 1, userIds })).shown)
  }

  /** Requests that are refused: nothing of them may be kept. */
  const refusals = async (): Promise<void> => {
    const userId = told.persons[1] ?? ''
    const type = 'ACTIVITY_TYPE_UPDATE_USER'
    const next = (): string => birds.next('remark', 'a refused request')
    await submit('update_user', type, { userId, userEmail: next(), userPhoneNumber: next() })
    await submit('update_user', type, { userId, userName: { [next()]: next() } })
    await submit('update_user', type, { userId: next(), userName: next() })
  }

  await begin()
  for (const path of Object.keys(operationRows)) {
    if (path === 'create_organization' || LAST.includes(path)) continue
    for (const one of operations) if (one.path === path) await performAll(one)
    if (path === 'create_users') await actedBy()
  }
  await endings()
  await refusals()

  return {
    organizationId,
    canaries: birds.canaries,
    told,
    activities,
    answers,
    askAll: async ({ url }) => {
      const from = answers.length
      for (const { path } of queries)
        for (const members of queryRows[path]?.(told, [...activities.keys()]) ?? [])
          await post(url, `query/${path}`, Buffer.from(JSON.stringify({ organizationId, ...members })))
      return answers.slice(from)
    },
    erase: async () => {
      for (const path of LAST) {
        for (const one of operations) if (one.path === path) await performAll(one)
        const asked = { organizationId, userId: told.persons[0] ?? '' }
        const { text } = await post(host.url, 'query/list_personal_places', Buffer.from(JSON.stringify(asked)))
        told.head = (JSON.parse(text) as { readonly head: Json }).head
      }
    },
  }
}
