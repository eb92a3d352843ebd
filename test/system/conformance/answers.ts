import { isDeepStrictEqual } from 'node:util'
import type { Timestamps } from '../../../adapters/http/wire-activity.ts'
import {
  OWN_QUERIES,
  OWN_ROUTES,
  specification,
  SUBMIT_RESPONSE,
  violations,
  type Specification,
} from './specification.ts'
import type { Exchange } from './wire.ts'

type Members = { readonly [member: string]: unknown }

/** The standard map of gRPC's codes; 413 and 405 are said by HTTP alone. */
const STATUSES: { readonly [grpc: number]: readonly number[] } = {
  1: [499, 408],
  3: [400, 405, 413, 415, 417, 431],
  5: [404],
  6: [409],
  7: [403],
  8: [429],
  9: [400],
  10: [409],
  13: [500],
  14: [503],
  16: [401],
}

/**
 * Everything that is wrong with an answer of the public API: what the machine-readable specification says of its
 * members, and what the official clients need beyond that.
 *
 * @param timestamps  how the server was told to write the times of activities
 */
export const faultsOf = (exchange: Exchange, timestamps: Timestamps): readonly string[] => {
  if (!exchange.path.startsWith('/public/v1/') || exchange.method !== 'POST') return []
  const said = (faults: readonly string[]) => faults.map((fault) => `${exchange.path} (${exchange.status}): ${fault}`)
  if (exchange.contentType !== 'application/json') return said([`the content type is ${exchange.contentType}`])
  const body: unknown = JSON.parse(exchange.body)
  if (!isMembers(body)) return said(['the body is no object'])
  return said(
    exchange.status === 200 ? faultsOfAnswer(exchange, body, timestamps) : faultsOfError(exchange.status, body),
  )
}

const faultsOfError = (status: number, body: Members): readonly string[] => {
  const { code, details, turnkeyErrorCode, ...rest } = body
  const all = Array.isArray(details) ? (details as readonly unknown[]) : []
  // What the policies found comes first: clients look for it there.
  const [first] = isPermissionError(all[0]) ? all.slice(1) : all
  return [
    ...(specification === undefined ? [] : violations(specification, 'rpcStatus', { code, details, ...rest })),
    ...fault(typeof rest['message'] !== 'string' || rest['message'] === '', 'the message is missing'),
    ...fault(!STATUSES[Number(code)]?.includes(status), `code ${String(code)} does not go with the status`),
    ...fault(
      !isDeepStrictEqual(first, { '@type': 'type.googleapis.com/errors.v1.TurnkeyErrorDetail', turnkeyErrorCode }),
      'the details do not begin with the error code',
    ),
    ...fault(all.slice(1).some(isPermissionError), 'what the policies found is not the first detail'),
    ...fault(
      specification !== undefined && !Object.hasOwn(specification.errorCodes, String(turnkeyErrorCode)),
      `${String(turnkeyErrorCode)} is no error code`,
    ),
  ]
}

const isPermissionError = (detail: unknown): boolean =>
  isMembers(detail) && detail['@type'] === 'type.googleapis.com/errors.v1.PolicyEnginePermissionError'

const faultsOfAnswer = (exchange: Exchange, body: Members, timestamps: Timestamps): readonly string[] => {
  const { activity } = body
  const isSubmit = exchange.path.startsWith('/public/v1/submit/')
  const plain = isSubmit && isMembers(activity) ? withoutSpecified(activity) : undefined
  const shape = plain === undefined ? body : { activity: plain.outer }
  return [
    ...(plain === undefined ? [] : faultsOfSpecified(plain)),
    ...(specification === undefined ? [] : faultsOfShape(specification, exchange, shape, timestamps)),
    ...activitiesIn(shape).flatMap(faultsOfActivity),
  ]
}

/** The answer of a submit carries the specification's activity inside the one that clients read. */
type Envelope = { readonly outer: Members; readonly inner: unknown; readonly timestampMs: unknown }

const withoutSpecified = (activity: Members): Envelope => {
  const { timestampMs, result, ...rest } = activity
  const { activity: inner, ...own } = isMembers(result) ? result : {}
  return { outer: { ...rest, result: own }, inner, timestampMs }
}

const faultsOfSpecified = ({ outer, inner, timestampMs }: Envelope): readonly string[] => {
  const names = Object.keys(outer).filter((name) => name !== 'appProofs' && name !== 'failure')
  const shared = Object.fromEntries(names.map((name) => [name, outer[name]]))
  const expected = { ...shared, createdAt: textOf(outer['createdAt']), updatedAt: textOf(outer['updatedAt']) }
  return [
    ...fault(typeof timestampMs !== 'string' || !/^[0-9]{13}$/.test(timestampMs), 'timestampMs is no text of ms'),
    ...fault(!isDeepStrictEqual(inner, expected), 'result.activity is not the activity as the specification has it'),
  ]
}

const faultsOfShape = (
  spec: Specification,
  exchange: Exchange,
  body: Members,
  timestamps: Timestamps,
): readonly string[] => {
  const isOwn = OWN_ROUTES.has(exchange.path.replace('/public/v1/submit/', ''))
  const operation = isOwn ? { response: SUBMIT_RESPONSE } : spec.operations.find(({ path }) => path === exchange.path)
  if (OWN_QUERIES.has(exchange.path.replace('/public/v1/query/', ''))) return []
  if (operation === undefined) return ['the specification has no such path']
  if (timestamps === 'object' || readsObjects(exchange)) return violations(spec, operation.response, body)
  const faults = activitiesIn(body).flatMap(({ createdAt, updatedAt }) => [
    ...fault(!isText(createdAt), `createdAt: ${String(createdAt)} is no RFC 3339 text`),
    ...fault(!isText(updatedAt), `updatedAt: ${String(updatedAt)} is no RFC 3339 text`),
  ])
  return [...faults, ...violations(spec, operation.response, mapActivities(body, withObjects))]
}

/** Who sends one of these gets times as objects in queries; a submit's answer has them for everybody. */
const readsObjects = ({ path, headers }: Exchange): boolean =>
  path.startsWith('/public/v1/submit/') ||
  headers['x-client-version'] !== undefined ||
  String(headers['user-agent']).startsWith('turnkey-')

const faultsOfActivity = (activity: Members): readonly string[] => {
  const { type, status, intent, result } = activity
  const entry = specification?.activityTypes[String(type)]
  if (entry === undefined || !isMembers(intent) || !isMembers(result)) return []
  const isCompleted = status === 'ACTIVITY_STATUS_COMPLETED'
  return [
    ...fault(
      Object.keys(intent).join() !== (type === GENESIS ? '' : entry.intentKey),
      `${String(type)} has the intent ${Object.keys(intent).join()}`,
    ),
    ...fault(
      Object.keys(result).join() !== (isCompleted ? entry.resultKey : ''),
      `${String(type)} (${String(status)}) has the result ${Object.keys(result).join()}`,
    ),
    ...fault(
      (status === 'ACTIVITY_STATUS_FAILED') !== isMembers(activity['failure']),
      `${String(status)} with the failure ${JSON.stringify(activity['failure'])}`,
    ),
  ]
}

/** Its intent has no member: what an organization begins with here, the definition of that name cannot say. */
const GENESIS = 'ACTIVITY_TYPE_CREATE_ORGANIZATION'

const activitiesIn = ({ activity, activities }: Members): readonly Members[] =>
  [activity, ...(Array.isArray(activities) ? (activities as readonly unknown[]) : [])].filter(isMembers)

const mapActivities = (body: Members, map: (activity: Members) => Members): Members => {
  const one = (activity: unknown): unknown => (isMembers(activity) ? map(activity) : activity)
  const { activity, activities } = body
  return {
    ...body,
    ...(activity === undefined ? {} : { activity: one(activity) }),
    ...(Array.isArray(activities) ? { activities: (activities as readonly unknown[]).map(one) } : {}),
  }
}

const withObjects = (activity: Members): Members => {
  const object = { seconds: '0', nanos: '0' }
  return { ...activity, createdAt: object, updatedAt: object }
}

const textOf = (time: unknown): unknown =>
  isMembers(time)
    ? new Date(Number(time['seconds']) * 1000 + Number(time['nanos']) / 1_000_000).toISOString()
    : undefined

const isText = (time: unknown): boolean =>
  typeof time === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(time)

const fault = (isWrong: boolean, what: string): readonly string[] => (isWrong ? [what] : [])

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
