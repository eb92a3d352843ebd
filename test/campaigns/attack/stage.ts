import { publicApi } from 'countersign'
import { stamper, type SigningKey } from 'countersign/signatures'
import { encode, type Seed } from '../bench/seed.ts'
import { caller, postOf } from '../load/caller.ts'

type Json = Readonly<Record<string, unknown>>

/** What an attack is prepared with. */
export type Stage = {
  readonly url: string
  /** The attacker's own organization: a root user and a tag. */
  readonly own: Seed
  /** What anybody may know of the organization that means well. */
  readonly known: Known
  /** Submits an activity, and waits for what it gives; throws what is no 200. By the root user unless told otherwise. */
  readonly submit: (path: string, parameters: Json, key?: SigningKey) => Promise<string>
  /** Asks a question, and waits for the answer; throws what is no 200. */
  readonly ask: (path: string, members?: Json) => Promise<string>
  /** A request that submits an activity, in bytes; no two are the same. */
  readonly submission: (path: string, parameters: Json, key?: SigningKey) => Uint8Array
  /** A request that asks a question, in bytes. */
  readonly question: (path: string, members?: Json, key?: SigningKey) => Uint8Array
}

export type Known = { readonly organizationId: string; readonly publicKey: string }

export const stageOf = (url: string, own: Seed, known: Known): Stage => {
  const { organizationId } = own
  let n = 0
  const submission: Stage['submission'] = (path, parameters, key = own.key) => {
    n += 1
    const type = TYPES.get(path) ?? `ACTIVITY_TYPE_${path.toUpperCase()}`
    const nonce = `${process.pid}-${n}`
    return stamped(
      `submit/${path}`,
      encode({ type, timestampMs: String(Date.now()), organizationId, parameters, nonce }),
      key,
    )
  }
  const client = caller(url)
  const done = async (path: string, request: Uint8Array): Promise<string> => {
    const answer = await client.ask(request)
    if (answer?.status === 200) return answer.body
    throw new Error(`${path}: ${answer?.status ?? 'no answer'} ${answer?.body.slice(0, 300) ?? ''}`)
  }
  const question: Stage['question'] = (path, members = {}, key = own.key) =>
    stamped(`query/${path}`, encode({ organizationId, ...members }), key)
  return {
    url,
    own,
    known,
    submission,
    question,
    ask: (path, members) => done(path, question(path, members)),
    submit: (path, parameters, key) => done(path, submission(path, parameters, key)),
  }
}

/** A POST of these bytes with the stamp of the key. */
export const stamped = (path: string, body: Uint8Array, key: SigningKey): Uint8Array =>
  postOf(`/public/v1/${path}`, body, [`X-Stamp: ${stampOf(key)(body)}`])

/** A POST of these bytes that nobody has signed. */
export const unstamped = (path: string, body: Uint8Array, headers: readonly string[] = []): Uint8Array =>
  postOf(`/public/v1/${path}`, body, headers)

const TYPES: ReadonlyMap<string, string> = new Map(
  publicApi.flatMap(({ operations }) => operations.map(({ path, type }) => [path, type] as const)),
)

const stampers = new Map<string, (body: Uint8Array) => string>()
const stampOf = (key: SigningKey): ((body: Uint8Array) => string) => {
  const found = stampers.get(key.publicKey) ?? stamper(key)
  stampers.set(key.publicKey, found)
  return found
}

/** What renames the attacker's tag: an activity that nothing limits in number. */
export const renamed = ({ own: { userTagId } }: Stage, newUserTagName: string) => ({
  userTagId,
  newUserTagName,
  addUserIds: [],
  removeUserIds: [],
})
