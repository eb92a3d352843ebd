import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { generateKey, type SigningKey, type StampOptions } from '../../../adapters/signatures/signer.ts'
import { stampedRequest } from '../../../adapters/signatures/stamped-request.ts'
import { encodeUtf8 } from '../../../core/bytes.ts'
import type { Engine } from '../../../core/engine.ts'
import type { Json } from '../../../core/failure.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import type { E } from '../../../core/prelude.ts'
import type { ActivityView } from '../../../core/view/activity-view.ts'
import type { Request } from '../../../core/request.ts'
import { byPasskey } from '../../core/resources/authenticator/passkey-world.ts'
import type { SoftwarePasskey } from '../../core/world/software-passkey.ts'
import { genesisBody, right, stamped, type TestClock } from '../../core/world/world.ts'

/** Somebody who can stamp. */
export type Person = {
  readonly key: SigningKey
  readonly userId: string
  readonly apiKeyId: string
  readonly options: StampOptions
  /** What the person stamps with instead of the key. */
  readonly passkey?: SoftwarePasskey
}
type Answer = E.Either<unknown, ActivityView>

/** A storage that outlives the engines on it. */
export const keptOpen = ({ store, readModels }: Storage): Storage => {
  const close = (): Promise<void> => Promise.resolve()
  return { store: { ...store, close }, readModels: { ...readModels, close } }
}

/** An organization in an engine, and what its people do there. */
export type Office = {
  readonly engine: Engine
  readonly clock: TestClock
  readonly organizationId: string
  readonly root: Person
  readonly people: Map<string, Person>
  readonly person: (name: string) => Person
  readonly submit: (person: Person, path: string, parameters: Json, type?: string) => Promise<Answer>
  /** As `submit`; throws what was refused. */
  readonly done: (person: Person, path: string, parameters: Json, type?: string) => Promise<ActivityView>
  readonly vote: (way: 'approve' | 'reject', person: Person, activity: ActivityView) => Promise<Answer>
  readonly enrol: (name: string, key?: SigningKey, options?: StampOptions) => Promise<Person>
  readonly ask: (
    person: Person,
    path: string,
    members: { readonly [member: string]: Json },
  ) => Promise<{ readonly [member: string]: Json }>
  readonly reopened: (engine: Engine) => Office
}

export const beginOffice = async (engine: Engine, clock: TestClock): Promise<Office> => {
  const organizationId = nodeIds().uuid()
  const key = generateKey('API_KEY_CURVE_P256')
  right(await engine.createOrganization(stamped({ key }, genesisBody(organizationId, key, clock.now(), 1, 'Office')))())
  const people = new Map<string, Person>()
  const office = officeOf(engine, clock, organizationId, people)
  const me = await office.ask({ key, userId: '', apiKeyId: '', options: {} }, 'whoami', {})
  people.set('root', { key, userId: me.userId as string, apiKeyId: '', options: {} }) // whoami answers a text
  return office
}

/** A request with the stamp of a person. */
const requestOf = ({ key, options, passkey }: Person, body: { readonly [member: string]: Json }): Request =>
  passkey === undefined ? stampedRequest(key, body, options) : byPasskey(passkey, encodeUtf8(JSON.stringify(body)))

export const officeOf = (
  engine: Engine,
  clock: TestClock,
  organizationId: string,
  people: Map<string, Person>,
): Office => {
  let addresses = 0
  const address = (): string | null => {
    addresses = (addresses + 1) % 5
    return addresses === 0 ? null : `192.0.2.${addresses}`
  }
  const submit: Office['submit'] = async (person, path, parameters, type) => {
    clock.pass(250)
    const body = {
      type: type ?? engine.catalogue.byPath(path)?.type ?? `ACTIVITY_TYPE_${path.toUpperCase()}`,
      timestampMs: String(clock.now() - 100),
      organizationId,
      parameters,
    }
    return engine.submit(path, { ...requestOf(person, body), address: address() })()
  }
  const done: Office['done'] = async (...asked) => right((await submit(...asked)) as E.Either<never, ActivityView>) // throws otherwise
  const person = (name: string): Person => {
    const found = people.get(name)
    if (found === undefined) throw new Error(`nobody is called ${name}`)
    return found
  }
  const ask: Office['ask'] = async (person, path, members) =>
    right(await engine.query(path, requestOf(person, { organizationId, ...members }))())
  return {
    engine,
    clock,
    organizationId,
    people,
    person,
    submit,
    done,
    ask,
    get root() {
      return person('root')
    },
    vote: (way, voter, { fingerprint }) => submit(voter, `${way}_activity`, { fingerprint }),
    enrol: async (name, key = generateKey('API_KEY_CURVE_P256'), options = {}) => {
      const user = {
        userName: name,
        apiKeys: [keyParams(name, key)],
        authenticators: [],
        oauthProviders: [],
        userTags: [],
      }
      const { result } = await done(person('root'), 'create_users', { users: [user] })
      const { userIds } = result.createUsersResult as { readonly userIds: readonly string[] }
      const userId = userIds[0] ?? ''
      const { apiKeys } = await ask(person('root'), 'get_api_keys', { userId })
      const [found] = apiKeys as readonly { readonly apiKeyId: string }[]
      const enrolled = { key, userId, apiKeyId: found?.apiKeyId ?? '', options }
      people.set(name, enrolled)
      return enrolled
    },
    reopened: (reopened) => officeOf(reopened, clock, organizationId, people),
  }
}

export const keyParams = (
  apiKeyName: string,
  { publicKey, curve }: SigningKey,
  expirationSeconds?: string,
): { [member: string]: Json } => ({
  apiKeyName,
  publicKey,
  curveType: curve,
  ...(expirationSeconds === undefined ? {} : { expirationSeconds }),
})

export const idIn = ({ result }: ActivityView, member: string): string => {
  const [members] = Object.values(result) as readonly { readonly [member: string]: Json }[]
  const id = [members?.[member]].flat()[0]
  if (typeof id !== 'string') throw new Error(`the result has no ${member}`)
  return id
}
