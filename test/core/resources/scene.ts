import * as assert from 'uvu/assert'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import type { Operation } from '../../../core/definition/operation.ts'
import type { Query } from '../../../core/definition/query.ts'
import type { Failure, Json } from '../../../core/failure.ts'
import type { E } from '../../../core/prelude.ts'
import { createUserTag } from '../../../core/resources/user-tag/create-user-tag.ts'
import type { ActivityView } from '../../../core/view/activity-view.ts'
import { anyPasskey } from '../world/software-passkey.ts'
import { right, type Person, type Place } from '../world/world.ts'
import { anyBorder, type Border } from './bundle/border.ts'
import { everyExample, operationExamples, queryExamples } from './all-examples.ts'
import type { Given, Members, OperationExample, Otherwise, Scene } from './example.ts'

/** An organization in which examples are played: who is in it, and how the root asks. What is refused is thrown. */
export type Door = Pick<Scene, 'root' | 'user'> & {
  /** What a client does at the border. Default: what the official ones do. */
  readonly border?: Border
  readonly submit: (operation: Operation, type: string, parameters: Json) => Promise<Done>
  readonly ask: (query: Query, members: Json) => Promise<unknown>
  /** An activity that may be taken for the one that an example begins with, in place of another one. */
  readonly recall?: (operation: Operation) => Done | undefined
  /** Where texts and keys come from, for a request of the type. Default: they count. */
  readonly words?: (type: string) => Words
}

export type Words = Pick<Scene, 'text' | 'phoneNumber' | 'publicKey' | 'passkey'>

/** An activity that was completed. */
export type Done = { readonly id: string; readonly fingerprint: string; readonly result: unknown }

/** @param type  of the request that is made in it */
export const sceneOf = (door: Door, type = ''): Scene => {
  const submitted = async (operation: Operation): Promise<Done> =>
    door.recall?.(operation) ?? play(door, exampleOf(operation), operation.type)
  return {
    root: door.root,
    user: door.user,
    border: door.border ?? anyBorder,
    ...(door.words ?? anyWords)(type),
    made: async <R>(operation: Operation<string, unknown, R>, other?: Otherwise) => {
      const done = other === undefined ? await submitted(operation) : await playOtherwise(door, operation, other)
      return done.result as R // its codec wrote it
    },
    asked: async <A>(query: Query<string, unknown, A>, members: Members = {}) =>
      (await door.ask(query, json(members))) as A, // as above
    activity: () => submitted(createUserTag),
  }
}

/** The parameters of an example, in one of its types. */
export const parametersOf = async (door: Door, { valid }: OperationExample, type: string): Promise<Members> => {
  const make = valid.get(type)
  if (make === undefined) throw new Error(`${type} has no example`)
  return make(sceneOf(door, type))
}

/** Submits an example. */
export const play = async (door: Door, example: OperationExample, type: string): Promise<Done> =>
  door.submit(example.operation, type, json(await parametersOf(door, example, type)))

const playOtherwise = async (
  door: Door,
  operation: Operation,
  { type = operation.type, members = {} }: Otherwise,
): Promise<Done> => {
  const parameters = await parametersOf(door, exampleOf(operation), type)
  return door.submit(operation, type, json({ ...parameters, ...members }))
}

/** The requests of examples in an organization: parameters by type, and members by the paths of queries. */
export const requestsOf = async (
  door: Door,
  offered: { readonly operations: readonly Operation[]; readonly queries: readonly Query[] },
): Promise<ReadonlyMap<string, Json>> => {
  const requests = new Map<string, Json>()
  for (const example of operationExamples.filter(({ operation }) => offered.operations.includes(operation)))
    for (const type of example.valid.keys()) requests.set(type, json(await parametersOf(door, example, type)))
  for (const { query, asked } of queryExamples.filter((one) => offered.queries.includes(one.query)))
    requests.set(query.path, json((await asked(sceneOf(door))).request))
  return requests
}

const exampleOf = (operation: Operation): OperationExample => {
  const found = everyExample.find((one) => one.operation === operation)
  if (found === undefined) throw new Error(`${operation.path} has no example`)
  return found
}

/** The same as JSON, without the members that are undefined. */
export const json = (given: Given): Json => JSON.parse(JSON.stringify(given)) as Json // what JSON.parse gives

let count = 0

/** Texts and keys that were not there before. */
export const anyWords = (): Words => ({
  text: (member) => `${member.toLowerCase()}${(count += 1)}`,
  phoneNumber: () => `+1555${String((count += 1)).padStart(9, '0')}`,
  publicKey: () => generateKey('API_KEY_CURVE_P256').publicKey,
  passkey: anyPasskey,
})

/** Examples in an organization of an engine. */
export const doorOf = (
  place: { readonly root: Person } & {
    readonly [M in 'submit' | 'ask']: (...asked: Parameters<Place[M]>) => Promise<E.Either<Failure, unknown>>
  },
  user: string,
): Door => ({
  root: place.root.userId,
  user,
  submit: async ({ path }, type, parameters) =>
    doneOf(right(await place.submit(place.root, path, parameters, { type })) as ActivityView), // what a place submits
  ask: async ({ path }, members) =>
    right(await place.ask(place.root, path, members as { readonly [member: string]: Json })),
})

/** Examples at a server. @param post  sends a body, stamped by the root, and gives the text of the answer */
export const wireDoor = (
  organizationId: string,
  people: Pick<Door, 'root' | 'user'>,
  post: (path: string, body: Uint8Array) => Promise<string>,
): Door => {
  const posted = async (path: string, members: object): Promise<unknown> =>
    JSON.parse(await post(`/public/v1/${path}`, Buffer.from(JSON.stringify({ organizationId, ...members })))) as unknown
  return {
    ...people,
    submit: async ({ path }, type, parameters) => {
      const nonce = String((count += 1))
      const answer = await posted(`submit/${path}`, { type, timestampMs: String(Date.now()), parameters, nonce })
      const { activity } = answer as { readonly activity?: ActivityView } // of a server of ours
      if (activity === undefined) throw new Error(`${type}: ${JSON.stringify(answer)}`)
      return doneOf(activity)
    },
    ask: ({ path }, members) => posted(`query/${path}`, members as object), // of a query
  }
}

export const doneOf = ({ id, fingerprint, status, result, failure }: ActivityView): Done => {
  if (status !== 'ACTIVITY_STATUS_COMPLETED') throw new Error(`${status}: ${failure?.message ?? ''}`)
  const own = Object.entries(result).find(([name]) => name !== 'activity') // the wire has the activity there, too
  return { id, fingerprint, result: own?.[1] }
}

/** Asserts that a result has what the request has under the same name, and what the example says. */
export const assertResult = (
  result: unknown,
  parameters: Members,
  { operation, shows: more }: OperationExample,
): void => {
  const actual = result as Members // of an operation: an object
  const echoed = Object.entries(parameters).filter(([member]) => Object.hasOwn(actual, member))
  for (const [member, value] of Object.entries({ ...Object.fromEntries(echoed), ...more(parameters) }))
    if (value !== undefined) assert.equal(actual[member], value, `${operation.path} ${member}`)
}

/** Asserts that an answer has what it must show: of lists, an entry for each that is expected, or none where none is. */
export const assertShows = (answer: unknown, expected: Given, what: string): void => {
  if (expected === undefined) return
  assert.ok(shows(answer, expected), `${what}: ${JSON.stringify(answer)} lacks ${JSON.stringify(expected)}`)
}

const shows = (answer: unknown, expected: Given): boolean => {
  if (typeof expected !== 'object' || expected === null) return answer === expected
  if (typeof answer !== 'object' || answer === null) return false
  if (Array.isArray(expected)) {
    const entries: readonly Given[] = expected
    return (
      Array.isArray(answer) &&
      (entries.length > 0 || answer.length === 0) &&
      entries.every((entry) => answer.some((one: unknown) => shows(one, entry)))
    )
  }
  return Object.entries(expected).every(
    ([member, value]) => value === undefined || shows((answer as Members)[member], value), // an object
  )
}
