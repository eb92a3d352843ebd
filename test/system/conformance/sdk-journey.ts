import * as assert from 'uvu/assert'
import { failureCodes } from '../../../core/failure-codes.ts'
import type { Json } from '../../../core/failure.ts'
import { createUserTag } from '../../../core/resources/user-tag/create-user-tag.ts'
import { borderTo } from '../../core/resources/bundle/border.ts'
import { everyExample, queryExamples } from '../../core/resources/all-examples.ts'
import type { Members, OperationExample, Refused } from '../../core/resources/example.ts'
import {
  assertResult,
  assertShows,
  doneOf,
  json,
  parametersOf,
  sceneOf,
  type Door,
} from '../../core/resources/scene.ts'
import { begin, beginBelow } from '../../core/world/world.ts'
import { NOBODY, type Reply, type Stage } from './stage.ts'

type Answer = { readonly activity: Reply['body']['activity'] } & { readonly [member: string]: Json }
type Ask = (members: Json) => Promise<Answer>

/**
 * The method of an official client that asks on a route: its text has the route in quotation marks. What the client has no method for
 * is undefined.
 */
const methodOf = (client: object, route: string): Ask | undefined => {
  const found: unknown = Object.values(client).find(
    (member: unknown) =>
      typeof member === 'function' &&
      /this\.(?:request|command|activityDecision)\("([^"]+)"/.exec(String(member))?.[1] === route,
  )
  return found as Ask | undefined // as all methods of this client are
}

type By = 'sdk' | 'http'

const nowhere: Refused = { request: () => ({ organizationId: NOBODY }), code: 'ORGANIZATION_NOT_FOUND' }

/**
 * Whoever plays examples in an organization, by an official client.
 *
 * @param unknown  the routes that the client does not know
 */
const playerOf = async (stage: Stage, by: By, unknown: Set<string>) => {
  const { root, post, asks, organizationId, enrol } = stage
  const client = stage[by](root)
  const askOf = (path: string, type?: string): Ask => {
    const method = methodOf(client, `/public/v1/${path}`)
    if (method === undefined) unknown.add(path)
    if (method !== undefined && by === 'sdk') return method
    const send = async (body: object): Promise<Reply['body']> => {
      if (method !== undefined) return (await method(json(body as Members))) as never // what the server answers
      const { body: answer, status } = await post(root, path, JSON.stringify(body))
      if (status !== 200) throw Object.assign(new Error(answer.message), { code: answer.code })
      return answer
    }
    return async (members) => {
      const answer = await send(type === undefined ? { organizationId, ...(members as object) } : asks(type, members))
      const results = Object.values(answer.activity?.result ?? {}) as readonly object[] // of our own server
      return Object.assign({}, answer, results[0]) as Answer // as the client spreads it
    }
  }
  const door: Door = {
    root: root.userId,
    user: (await enrol('ada')).userId,
    border: borderTo(stage.engine),
    submit: async ({ path }, type, parameters) => {
      const { activity, ...result } = await askOf(`submit/${path}`, type)(parameters)
      return { ...doneOf(activity as never), result } // as the view of it has them
    },
    ask: ({ path }, members) => askOf(`query/${path}`)(members),
  }
  const assertRefused = async (ask: Ask, { request, code }: Refused, what: string): Promise<void> => {
    const members = await request(sceneOf(door))
    // Of an operation without parameters that it knows, the one client can get nothing wrong but the organization.
    if (members === null && by === 'sdk' && !unknown.has(`submit/${what}`)) return assertRefused(ask, nowhere, what)
    assert.is(await codeOf(ask(json(members))), failureCodes[code].grpc, what)
  }

  const play = async (example: OperationExample): Promise<void> => {
    const { operation } = example
    const { path, type } = operation
    await assertRefused(askOf(`submit/${path}`, type), example.refused, path)
    const parameters = await parametersOf(door, example, type)
    assertResult((await door.submit(operation, type, json(parameters))).result, parameters, example)
  }
  return { askOf, door, assertRefused, play }
}

/**
 * Goes through every operation and query that the server has, each refused and done. Gives the routes that the client does not know.
 *
 * @param by  `http` takes whole bodies and gives answers as they come; `sdk` makes the body, and spreads the result over the answer
 */
export const journey = async (
  stage: Stage,
  { by = 'sdk', examples = everyExample }: { readonly by?: By; readonly examples?: typeof everyExample } = {},
): Promise<readonly string[]> => {
  const { engine } = stage
  const unknown = new Set<string>()
  const { askOf, door, assertRefused, play } = await playerOf(stage, by, unknown)
  const offered = examples.filter(({ operation }) => engine.catalogue.operations.includes(operation))
  for (const example of offered.filter(({ where }) => where === undefined)) await play(example)
  for (const { query, asked, refused } of queryExamples.filter((one) => engine.queries.includes(one.query))) {
    await assertRefused(askOf(`query/${query.path}`), refused ?? nowhere, query.path)
    const { request, shows } = await asked(sceneOf(door))
    assertShows(await door.ask(query, json(request)), shows, query.path)
  }
  const { fingerprint } = await sceneOf(door).activity()
  for (const path of ['approve_activity', 'reject_activity']) {
    const ask = askOf(`submit/${path}`, `ACTIVITY_TYPE_${path.toUpperCase()}`)
    const nothing = { fingerprint: `sha256:${'0'.repeat(64)}` }
    await assertRefused(ask, { request: () => nothing, code: 'ACTIVITY_NOT_FOUND' }, path)
    const { activity } = await ask({ fingerprint })
    assert.equal([activity.status, activity.type], ['ACTIVITY_STATUS_COMPLETED', createUserTag.type])
    assert.type(activity.result.createUserTagResult?.userTagId, 'string')
  }
  for (const example of offered) {
    if (example.where === undefined) continue
    const place = example.where === 'below' ? await beginBelow(stage, stage) : await begin(stage)
    await (await playerOf(stage.at(place), by, unknown)).play(example)
  }
  return [...unknown]
}

/** The code of a refusal, as clients tell it. */
const codeOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => undefined,
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined),
  )
