import { publicQueries } from '../../core/world/with-host.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { jsonSchemaOf } from '../../../core/codec/json-schema.ts'
import type { Operation } from '../../../core/definition/operation.ts'
import { publicOperations } from '../../core/world/with-host.ts'
import { refusedOnPurpose } from '../../../core/resources/refused-on-purpose.ts'
import { faultsOf } from './answers.ts'
import {
  CHOSEN_NAMES,
  OWN_QUERIES,
  OWN_ROUTES,
  specification,
  SUBMIT_RESPONSE,
  type ActivityTypeEntry,
  type Specification,
} from './specification.ts'
import { onStage } from './stage.ts'
import type { Exchange } from './wire.ts'

const it = suite('the machine-readable specification')

/** A test that passes without a word where the specification is missing: reading it has said so. */
const given = (use: (spec: Specification) => void) => () => {
  if (specification !== undefined) use(specification)
}

it(
  'has the path, the versions and their names of each operation',
  given((spec) => {
    for (const operation of publicOperations) {
      const found = spec.operations.find(({ path }) => path === `/public/v1/submit/${operation.path}`)
      const all = found?.types?.family ?? OWN_ROUTES.get(operation.path)
      const family = all?.filter((type) => !refusedOnPurpose.has(type))
      assert.is(found === undefined ? family?.at(-1) : found.types?.current, operation.type, operation.path)
      const types = operation.versions.map(({ type }) => type).toSorted()
      assert.equal(types, [...(family ?? [])].toSorted())
      for (const { type, intentName, resultName } of operation.versions) {
        const entry = spec.activityTypes[type]
        assert.equal([intentName, resultName], [entry?.intentKey, entry?.resultKey], type)
        assert.equal(namesOf(operation), namesIn(entry, operation.path), type)
      }
    }
  }),
)

/** What policies call an operation; for one that only the root quorum may allow, nothing. */
const namesOf = ({ kind, resource, action }: Operation): readonly unknown[] =>
  resource === undefined ? ['root quorum only'] : [kind, `${resource}/${action}`]

/** The same of the specification, or a choice of ours where it has no word on the operation. */
const namesIn = (entry: ActivityTypeEntry | undefined, path: string): readonly unknown[] => {
  if (entry?.rootQuorumOnly === true) return ['root quorum only']
  if (entry?.policyResource !== undefined) return [entry.policyKind, `${entry.policyResource}/${entry.policyAction}`]
  const chosen = CHOSEN_NAMES[path]
  if (chosen !== undefined) return [entry?.policyKind ?? path.toUpperCase(), chosen]
  return [`no word on ${path}`]
}

it(
  'lacks the routes that are our own, and has one answer for all submits',
  given((spec) => {
    const submits = spec.operations.filter(({ path }) => path.startsWith('/public/v1/submit/'))
    for (const path of OWN_ROUTES.keys())
      assert.not(
        submits.some((one) => one.path === `/public/v1/submit/${path}`),
        path,
      )
    assert.equal([...new Set(submits.map(({ response }) => response))], [SUBMIT_RESPONSE])
  }),
)

it(
  'has the path and the members of each query',
  given((spec) => {
    for (const { path, codecs } of publicQueries) {
      const found = spec.operations.find((operation) => operation.path === `/public/v1/query/${path}`)
      assert.is(found === undefined, OWN_QUERIES.has(path), path)
      if (found === undefined) continue
      const { required = [] } = spec.definitions[found?.response ?? ''] ?? {}
      assert.equal(jsonSchemaOf(codecs.answer).required?.toSorted(), [...required].toSorted(), path)
    }
  }),
)

/** Answers that a server gave, with what a wrong one would have had instead. */
const wrongs: readonly (readonly [what: string, path: RegExp, from: string | RegExp, to: string, says: RegExp])[] = [
  ['a missing member', /get_user$/, /"mfaPolicies":\[\],?/, '', /mfaPolicies: missing/],
  ['another type', /get_user$/, '"userTags":[]', '"userTags":{}', /userTags: expected an array/],
  ['a number for a text', /whoami$/, '"username":"root"', '"username":7', /expected string/],
  ['a text for a number', /configs$/, '"threshold":1', '"threshold":"1"', /expected integer/],
  ['a name that is not in an enumeration', /get_user$/, 'API_KEY_P256', 'API_KEY_P257', /enumeration/],
  ['a member that nobody defined', /whoami$/, '{', '{"rank":"1",', /rank: not in the specification/],
  ['a null that is required', /whoami$/, '"username":"root"', '"username":null', /expected string/],
  [
    'another intent',
    /create_user_tag$/,
    /createUserTagIntent/g,
    'createUsersIntent',
    /has the intent createUsersIntent/,
  ],
  ['no result', /create_user_tag$/, /"createUserTagResult":\{[^}]*\},?/g, '', /has the result/],
  ['a nested result', /create_user_tag$/, /"result":\{(?!.*"result":)/, '"result":{"activity":{},', /result/],
  ['texts for objects', /create_user_tag$/, /"createdAt":\{[^}]*\}/, '"createdAt":"now"', /createdAt/],
  ['a failure without failing', /create_user_tag$/, '"failure":null', '"failure":{"code":3}', /with the failure/],
  ['details without the error code', /list_users$/, /"details":\[\{.*?\}\]/, '"details":[]', /do not begin/],
  ['an error code that does not exist', /list_users$/, /INVALID_ORGANIZATION_ID/g, 'WRONG', /WRONG is no error code/],
  ['a code that does not go with the status', /list_users$/, '"code":3', '"code":5', /does not go/],
]

it('would see wrong answers', () =>
  onStage(async ({ http, root, asks, organizationId, exchanges }) => {
    const client = http(root)
    await client.createUserTag(asks('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'a', userIds: [] }))
    await client.getUser({ organizationId, userId: root.userId })
    await client.getWhoami({ organizationId })
    await client.getOrganizationConfigs({ organizationId })
    await client.getUsers({ organizationId: 'acme' }).catch(() => undefined)
    const seen = (exchange: Exchange) => faultsOf(exchange, 'string').join('\n')
    if (specification === undefined) return
    for (const [what, path, from, to, says] of wrongs) {
      const exchange = exchanges.find((one) => path.test(one.path))
      assert.ok(exchange, what)
      assert.is(seen(exchange), '', what)
      const body = exchange.body.replace(from, to)
      assert.is.not(body, exchange.body, what)
      assert.match(seen({ ...exchange, body }), says, what)
    }
    const [first] = exchanges
    assert.ok(first)
    assert.match(seen({ ...first, contentType: 'application/json; charset=utf-8' }), /content type/)
    const texts = { ...first, path: '/public/v1/query/get_activity', headers: {} }
    assert.match(seen(texts), /is no RFC 3339 text|not in the specification/)
  }))

it.run()
