import { ballots, Parameters as BallotParameters } from '../../core/command/vote.ts'
import type { Engine } from '../../core/engine.ts'
import { jsonSchemaOf, type JsonSchema } from '../../core/operations/json-schema.ts'
import type { Operation, Version } from '../../core/operations/operation.ts'
import { getActivity } from '../../core/query/activity/get-activity.ts'
import { listActivities } from '../../core/query/activity/list-activities.ts'
import type { Query } from '../../core/query/query.ts'
import {
  listOf,
  object,
  ref,
  responses,
  responsesByStatus,
  schemas,
  text,
  withNulls,
  type Node,
} from './openapi-schemas.ts'

/**
 * The public API of an engine as an OpenAPI document: its operations and its queries, those of the host like all others.
 * The document accepts every request that the engine accepts. What is refused for more than its shape (a name that is
 * taken, a list that is too long) is in descriptions at most.
 *
 * @see https://spec.openapis.org/oas/v3.1.1.html
 */
export const openApi = ({ catalogue: { operations }, queries }: Pick<Engine, 'catalogue' | 'queries'>): Node => {
  const submits = new Set([...operations.map(({ path }) => path), ...Object.keys(ballots)])
  return {
    openapi: '3.1.1',
    info: { title: 'Countersign', version: 'v1', description: ABOUT },
    servers: [{ url: '/' }],
    security: [{ stamp: [] }],
    tags: tagsOf(operations),
    paths: {
      ...paths('submit', operations.map(submitOf)),
      ...paths('submit', Object.keys(ballots).map(ballotOf)),
      ...paths(
        'query',
        queries.map((query) => queryOf(query, submits)),
      ),
    },
    components: {
      securitySchemes: { stamp: { type: 'apiKey', in: 'header', name: 'X-Stamp', description: STAMP } },
      schemas: { ...schemas, ...Object.fromEntries([...operations.flatMap(requestsOf), ...ballotRequests()]) },
      responses,
    },
  }
}

const ABOUT =
  'Every request is a POST whose body is stamped. Members of a body that are not described are ignored, and stay part of ' +
  'what was stamped. The same body is the same activity, however often it is sent. What HTTP itself refuses (408, 415, ' +
  '417, 431) has the body of any other refusal.'

const STAMP =
  'The signature over the exact bytes of the body: base64url of the JSON {publicKey, scheme, signature}, with key and ' +
  'signature in hexadecimal digits.'

const UUID: Node = { ...text, format: 'uuid' }

type Post = { readonly path: string; readonly post: Node }

const paths = (kind: 'submit' | 'query', posts: readonly Post[]): Node =>
  Object.fromEntries(posts.map(({ path, post }) => [`/public/v1/${kind}/${path}`, { post }]))

/** What every request has in common. */
const postOf = (path: string, tag: string, summary: string, request: Node, answer: Node): Post => ({
  path,
  post: {
    operationId: path,
    tags: [tag],
    summary,
    requestBody: { required: true, content: jsonContent(request) },
    responses: {
      200: { description: 'The answer.', content: jsonContent(answer) },
      ...responsesByStatus,
    },
  },
})

const jsonContent = (schema: Node): Node => ({ 'application/json': { schema } })

/** Operations without a resource: no policy can name them. */
const ROOT = 'ROOT'
const ACTIVITY = 'ACTIVITY'
const QUERY = 'QUERY'

const tagOf = ({ resource }: Operation): string => resource ?? ROOT

const tagsOf = (operations: readonly Operation[]): readonly Node[] => {
  const fixed: Node = {
    [ROOT]: 'What only the root quorum can allow.',
    [ACTIVITY]: 'Votes.',
    [QUERY]: 'Questions: every credential of the organization may ask, policies are not consulted.',
  }
  const names = new Set([...operations.map(tagOf), ACTIVITY, QUERY])
  return [...names].map((name) => ({ name, description: fixed[name] ?? `Operations on the resource ${name}.` }))
}

const submitOf = (operation: Operation): Post => {
  const { path, summary, versions } = operation
  const types = versions.map(({ type }) => type)
  const request = types.length === 1 ? ref(operation.type) : chosenByType(types)
  return postOf(path, tagOf(operation), summary, request, object({ activity: answerOf(operation) }))
}

/** Each component is called like the value that chooses it: so no mapping is needed. */
const chosenByType = (types: readonly string[]): Node => ({
  type: 'object',
  oneOf: types.map(ref),
  discriminator: { propertyName: 'type' },
})

type Named = readonly [name: string, schema: Node]

const requestsOf = ({ type: newest, summary, versions }: Operation): readonly Named[] =>
  versions.map((version) => {
    const { type } = version
    return [type, requestOf(type, type === newest ? summary : OLDER, parametersOf(version))]
  })

const OLDER = 'An older form.'

const parametersOf = ({ codec }: Version): Node =>
  codec === undefined ? { description: 'not described; this form may not be on offer' } : withNulls(jsonSchemaOf(codec))

const requestOf = (type: string, description: string, parameters: Node): Node => ({
  description,
  ...object({ type: { ...text, const: type }, timestampMs: ref('TimestampMs'), organizationId: UUID, parameters }),
})

/** The activity, with the intent and the result of its operation: each version has its own names for them. */
const answerOf = ({ versions, codecs }: Operation): Node => ({
  allOf: [
    ref('SubmittedActivity'),
    object({
      type: { ...text, enum: versions.map(({ type }) => type) },
      intent: oneOfThese(versions.map(({ intentName, codec }) => [intentName, codec && jsonSchemaOf(codec)])),
      result: oneOfThese(
        versions.map(({ resultName, isPlainResult }) => [
          resultName,
          isPlainResult ? jsonSchemaOf(codecs.result) : undefined,
        ]),
      ),
    }),
  ],
})

/** An object with one of these members. Versions may share a name, with one schema or several. */
const oneOfThese = (members: readonly (readonly [name: string, schema: JsonSchema | undefined])[]): Node => {
  const schemasOf = new Map<string, Map<string, JsonSchema>>()
  for (const [name, schema = {}] of members) {
    const schemas = schemasOf.get(name) ?? new Map<string, JsonSchema>()
    schemasOf.set(name, schemas.set(JSON.stringify(schema), schema))
  }
  const properties = [...schemasOf].map(([name, schemas]): Named => {
    const [first = {}, ...others] = schemas.values()
    return [name, others.length === 0 ? first : { anyOf: [first, ...others] }]
  })
  return object(Object.fromEntries(properties), [...schemasOf.keys()])
}

const ballotOf = (path: string): Post =>
  postOf(
    path,
    ACTIVITY,
    path === 'approve_activity' ? 'Approves an activity.' : 'Rejects an activity.',
    ref(ballots[path]?.type ?? ''),
    object({ activity: ref('SubmittedActivity') }),
  )

const ballotRequests = (): readonly Named[] =>
  Object.values(ballots).flatMap((ballot) =>
    ballot === undefined
      ? []
      : [[ballot.type, requestOf(ballot.type, 'A vote.', withNulls(jsonSchemaOf(BallotParameters)))]],
  )

/** @param submits  the paths of what can be submitted: a query of the same name needs another id */
const queryOf = (query: Query, submits: ReadonlySet<string>): Post => {
  const { path, summary, codec, answers } = query
  const answer = object(Object.fromEntries(answers.map((name) => [name, answered.get(query)?.[name] ?? {}])))
  const { post } = postOf(path, QUERY, summary, inOrganization(jsonSchemaOf(codec)), answer)
  return { path, post: submits.has(path) ? { ...post, operationId: `${path}.query` } : post }
}

/** Every body names its organization, also where the query's codec does not look at it. */
const inOrganization = (schema: JsonSchema): Node =>
  schema.required?.includes('organizationId') === true
    ? withNulls(schema)
    : { allOf: [object({ organizationId: UUID }), withNulls(schema)] }

/** Of queries that show activities, their members. All other members may be any JSON. */
const answered: ReadonlyMap<Query, Node> = new Map([
  [getActivity, { activity: ref('Activity') }],
  [listActivities, { activities: listOf(ref('Activity')) }],
])
