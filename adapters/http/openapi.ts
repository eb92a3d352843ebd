import { ballots, Parameters as BallotParameters } from '../../core/deciding/ballot.ts'
import type { Engine } from '../../core/engine.ts'
import { jsonSchemaOf, type JsonSchema } from '../../core/codec/json-schema.ts'
import type { Operation, Version } from '../../core/definition/operation.ts'
import type { Query } from '../../core/definition/query.ts'
import {
  APP_PROOFS,
  object,
  ref,
  responsesByStatus,
  responsesOf,
  schemasBeside,
  text,
  TIMESTAMP_MS,
  withNulls,
  type Node,
  type Schemas,
} from './openapi-schemas.ts'
import { SubmittedActivity } from './submit-envelope.ts'

/**
 * The public API of an engine as an OpenAPI document: its operations and its queries, including those of the host. The document accepts
 * every request that the engine accepts. Refusals for other reasons than the shape (a name that is taken, a list that is too long) are at
 * most in descriptions.
 *
 * @param options.basePath  where the API is mounted; default: the root
 * @see https://spec.openapis.org/oas/v3.1.1.html
 */
export const openApi = (
  { catalogue: { operations }, queries }: Pick<Engine, 'catalogue' | 'queries'>,
  { basePath = '' }: { readonly basePath?: string } = {},
): Node => {
  const submits = new Set([...operations.map(({ path }) => path), ...Object.keys(ballots)])
  const requests = { ...TIMESTAMP_MS, ...Object.fromEntries([...operations.flatMap(requestsOf), ...ballotRequests()]) }
  const schemas = schemasBeside(requests)
  const responses = responsesOf(schemas)
  const described = {
    ...paths(
      'submit',
      operations.map((operation) => submitOf(operation, schemas)),
    ),
    ...paths(
      'submit',
      Object.keys(ballots).map((path) => ballotOf(path, schemas)),
    ),
    ...paths(
      'query',
      queries.map((query) => queryOf(query, submits, schemas)),
    ),
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Countersign', version: 'v1', description: ABOUT },
    servers: [{ url: basePath === '' ? '/' : basePath }],
    security: [{ stamp: [] }],
    tags: tagsOf(operations),
    paths: described,
    components: {
      securitySchemes: { stamp: { type: 'apiKey', in: 'header', name: 'X-Stamp', description: STAMP } },
      schemas: { ...schemas.named(), ...requests },
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

/** The members that the descriptions of all requests have. */
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

/** The tag of operations without a resource, which no policy can name. */
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

const submitOf = (operation: Operation, schemas: Schemas): Post => {
  const { path, summary, versions } = operation
  const types = versions.map(({ type }) => type)
  const request = types.length === 1 ? ref(operation.type) : chosenByType(types)
  return postOf(path, tagOf(operation), summary, request, object({ activity: answerOf(operation, schemas) }))
}

/** Each component has the name of the `type` that selects it, so no mapping is needed. */
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
  ...object(
    {
      type: { ...text, const: type },
      timestampMs: ref('TimestampMs'),
      organizationId: UUID,
      parameters,
      generateAppProofs: APP_PROOFS,
    },
    ['generateAppProofs'],
  ),
})

/** The activity, with the intent and the result of its operation: each version has its own names for them. */
const answerOf = ({ versions, codecs }: Operation, { schemaOf }: Schemas): Node => ({
  allOf: [
    schemaOf(SubmittedActivity),
    object({
      type: { ...text, enum: versions.map(({ type }) => type) },
      intent: oneOfThese(versions.map(({ intentName, codec }) => [intentName, codec && schemaOf(codec)])),
      result: oneOfThese(
        versions.map(({ resultName, isPlainResult }) => [
          resultName,
          isPlainResult ? schemaOf(codecs.result) : undefined,
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

const ballotOf = (path: string, { schemaOf }: Schemas): Post =>
  postOf(
    path,
    ACTIVITY,
    path === 'approve_activity' ? 'Approves an activity.' : 'Rejects an activity.',
    ref(ballots[path]?.type ?? ''),
    object({ activity: schemaOf(SubmittedActivity) }),
  )

const ballotRequests = (): readonly Named[] =>
  Object.values(ballots).flatMap((ballot) =>
    ballot === undefined
      ? []
      : [[ballot.type, requestOf(ballot.type, 'A vote.', withNulls(jsonSchemaOf(BallotParameters)))]],
  )

/** @param submits  the paths of operations: a query with the same path needs another id */
const queryOf = ({ path, summary, codecs }: Query, submits: ReadonlySet<string>, { schemaOf }: Schemas): Post => {
  const { post } = postOf(path, QUERY, summary, inOrganization(jsonSchemaOf(codecs.request)), schemaOf(codecs.answer))
  return { path, post: submits.has(path) ? { ...post, operationId: `${path}.query` } : post }
}

/** Adds the organization, which every body names, also if the query's codec does not read it. */
const inOrganization = (schema: JsonSchema): Node =>
  schema.required?.includes('organizationId') === true
    ? withNulls(schema)
    : { allOf: [object({ organizationId: UUID }), withNulls(schema)] }
