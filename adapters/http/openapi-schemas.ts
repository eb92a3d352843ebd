import type { Status } from '../../core/activity/activity.ts'
import type { Json } from '../../core/failure.ts'
import { turnkeyErrorCode } from '../../core/query/failure-view.ts'
import type { JsonSchema } from '../../core/operations/json-schema.ts'
import { httpStatus } from './status.ts'

/** A piece of the document. */
export type Node = { readonly [member: string]: Json }

export const ref = (name: string): Node => ({ $ref: `#/components/schemas/${name}` })

/** An object whose members are all there, but for those that are named as optional. */
export const object = (properties: Node, optional: readonly string[] = []): Node => {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', ...(required.length === 0 ? {} : { required }), properties }
}

export const listOf = (items: Node): Node => ({ type: 'array', items })

export const text: Node = { type: 'string' }

/** What callers may send by a schema: a member that may be missing may be `null`, too, which counts as missing. */
export const withNulls = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  ...(schema.properties === undefined ? {} : { properties: membersWithNulls(schema.properties, schema.required) }),
  ...(schema.items === undefined ? {} : { items: withNulls(schema.items) }),
  ...(schema.additionalProperties === undefined
    ? {}
    : { additionalProperties: withNulls(schema.additionalProperties) }),
  ...(schema.anyOf === undefined ? {} : { anyOf: schema.anyOf.map(withNulls) }),
  ...(schema.allOf === undefined ? {} : { allOf: schema.allOf.map(withNulls) }),
})

const membersWithNulls = (
  properties: NonNullable<JsonSchema['properties']>,
  required: readonly string[] = [],
): NonNullable<JsonSchema['properties']> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [
      name,
      required.includes(name) ? withNulls(member) : { anyOf: [withNulls(member), { type: 'null' }] },
    ]),
  )

const STATUSES: Readonly<Record<Status, string>> = {
  ACTIVITY_STATUS_PENDING: 'work outside is under way',
  ACTIVITY_STATUS_COMPLETED: 'done, with a result',
  ACTIVITY_STATUS_FAILED: 'over, with a failure',
  ACTIVITY_STATUS_CONSENSUS_NEEDED: 'waits for votes',
  ACTIVITY_STATUS_REJECTED: 'denied, or rejected by votes',
  ACTIVITY_STATUS_AUTHENTICATORS_NEEDED: 'waits for a second factor',
}

/** What an activity has wherever it is shown. */
const shared: Node = {
  id: { ...text, format: 'uuid' },
  organizationId: { ...text, format: 'uuid' },
  status: {
    ...text,
    enum: Object.keys(STATUSES),
    description: Object.entries(STATUSES)
      .map(([status, meaning]) => `${status}: ${meaning}`)
      .join('; '),
  },
  type: { ...text, description: 'the type that it was submitted as' },
  intent: {
    type: 'object',
    description: 'one member, which has the parameters; none where the request was erased, or began the organization',
  },
  votes: listOf(ref('Vote')),
  fingerprint: { ...text, description: 'what a vote names the activity by' },
  canApprove: { type: 'boolean' },
  canReject: { type: 'boolean' },
}

const result: Node = { type: 'object', description: 'one member when the activity is completed' }
const failure: Node = { anyOf: [ref('Failure'), { type: 'null' }] }
const date: Node = { ...text, format: 'date-time' }
const unused: Node = { type: 'array', items: {}, description: 'always empty' }

/** What every document has. */
export const schemas: Node = {
  Activity: {
    description: 'An activity as queries show it.',
    ...object({
      ...shared,
      result,
      appProofs: unused,
      createdAt: { anyOf: [date, ref('Timestamp')], description: 'an object for clients that ask for one' },
      updatedAt: { anyOf: [date, ref('Timestamp')] },
      failure,
    }),
  },
  SubmittedActivity: {
    description: 'An activity as the answer to a submit shows it.',
    ...object({
      ...shared,
      result: { ...object({ activity: ref('SpecifiedActivity') }), ...result },
      appProofs: unused,
      createdAt: ref('Timestamp'),
      updatedAt: ref('Timestamp'),
      failure,
      timestampMs: { ...text, description: 'when it was created, in milliseconds since the epoch' },
    }),
  },
  SpecifiedActivity: {
    description: 'The same activity once more, with its times in text.',
    ...object({ ...shared, result, createdAt: date, updatedAt: date }),
  },
  Vote: object({
    id: text,
    userId: text,
    user: { type: 'object', description: 'the user as of now' },
    activityId: { ...text, format: 'uuid' },
    selection: { ...text, enum: ['VOTE_SELECTION_APPROVED', 'VOTE_SELECTION_REJECTED'] },
    message: { ...text, description: 'the body that the voter stamped; empty where it was erased' },
    publicKey: text,
    signature: text,
    scheme: text,
    createdAt: ref('Timestamp'),
  }),
  Timestamp: object({
    seconds: { ...text, description: 'since the epoch' },
    nanos: { ...text, description: 'and what is left, in nanoseconds' },
  }),
  TimestampMs: {
    description: 'Milliseconds since the epoch.',
    anyOf: [
      { ...text, pattern: '^(?:0|[1-9][0-9]{0,14})$' },
      { type: 'integer', minimum: 0 },
    ],
  },
  Failure: object({
    code: { type: 'integer', description: "gRPC's number" },
    message: text,
    details: { type: 'array', items: {}, description: 'the first one has turnkeyErrorCode' },
  }),
  Refusal: {
    description: 'Why there is no other answer.',
    allOf: [
      ref('Failure'),
      object({ turnkeyErrorCode: { ...text, enum: [...new Set(Object.values(turnkeyErrorCode))].toSorted() } }),
    ],
  },
}

/** The statuses of failures, but for the one that nobody is there to read. */
const statuses = [...new Set(Object.values(httpStatus))].filter((status) => status !== httpStatus.ABORTED)

const codesOf = (status: number): string =>
  Object.entries(httpStatus)
    .flatMap(([code, its]) => (its === status ? [code] : []))
    .join(', ')

const refusal = (description: string): Node => ({
  description,
  content: { 'application/json': { schema: ref('Refusal') } },
})

/** What every request may get instead of its own answer, as components. */
export const responses: Node = Object.fromEntries(
  statuses.map((status) => [`Status${status}`, refusal(`The failures ${codesOf(status)} of the reference.`)]),
)

/** The same by status: ranges such as `4XX` would be shorter, but there are generators that write them into code. */
export const responsesByStatus: Node = Object.fromEntries(
  statuses.map((status) => [status, { $ref: `#/components/responses/Status${status}` }]),
)
