import * as fc from 'fast-check'
import { parseCronSpan } from '../../../core/policy/cron-span.ts'
import { parseInstant } from '../../../core/policy/instant.ts'
import type { Node } from '../../../core/policy/syntax.ts'

const uniqueNames = { minLength: 1, maxLength: 3, selector: ({ name }: { readonly name: string }) => name }

/** Trees of any shape, well-typed or not. */
export const anyNode: fc.Arbitrary<Node> = fc.letrec<{ node: Node; postfix: Node }>((tie) => {
  const at = fc.constant(0)
  const node = tie('node')
  const name = fc.constantFrom('approvers', 'user', 'x', '_y1', 'credentials', 'inner', 'trueish')
  const literal = fc.record({
    _tag: fc.constant('literal' as const),
    at,
    value: fc.oneof(
      fc.boolean(),
      fc.bigInt({ min: -(2n ** 127n), max: 2n ** 256n - 1n }),
      fc.string({ unit: 'binary' }).map((text) => text.replaceAll("'", '')),
    ),
  })
  const member = fc.record({ name, at, value: node })
  const timestamp = fc
    .constantFrom('2026-01-31T09:00:00Z', '1969-12-31t23:59:59.1230045-00:00', 'no time', '')
    .map((text) => ({ _tag: 'timestamp' as const, at: 0, text, value: parseInstant(text) }))
  const span = fc
    .constantFrom(['0 9 * * 1-5', '8h', 'Europe/Berlin'], ['* *', '', '?'])
    .map(([cron = '', duration = '', zone = '']) => ({
      _tag: 'cron-span' as const,
      at: 0,
      texts: [cron, duration, zone] as const,
      value: parseCronSpan(cron, duration, zone),
    }))
  const operator = fc.constantFrom('==', '!=', '<', '>', '<=', '>=', 'in' as const)
  const quantifier = fc.constantFrom('all', 'any', 'filter' as const)
  const clauses = fc.array(node, { minLength: 2, maxLength: 4 })
  return {
    postfix: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      literal,
      fc.record({ _tag: fc.constant('name' as const), at, name }),
      fc.record({ _tag: fc.constant('list' as const), at, items: fc.array(node, { maxLength: 3 }) }),
      fc.record({ _tag: fc.constant('struct' as const), at, members: fc.uniqueArray(member, uniqueNames) }),
      timestamp,
      span,
      fc.record({ _tag: fc.constant('field' as const), at, of: tie('postfix'), name }),
      fc.record({ _tag: fc.constant('index' as const), at, of: tie('postfix'), index: node }),
      fc.record({ _tag: fc.constant('slice' as const), at, of: tie('postfix'), from: node, to: node }),
      fc.record({ _tag: fc.constant('count' as const), at, of: tie('postfix') }),
      fc.record({ _tag: fc.constant('contains' as const), at, of: tie('postfix'), item: node }),
      fc.record({
        _tag: fc.constant('each' as const),
        at,
        quantifier,
        of: tie('postfix'),
        variable: name,
        predicate: node,
      }),
    ),
    node: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      tie('postfix'),
      fc.record({ _tag: fc.constant('not' as const), at, of: node }),
      fc.record({ _tag: fc.constant('compare' as const), at, operator, left: node, right: node }),
      fc.record({ _tag: fc.constant('logic' as const), at, operator: fc.constantFrom('&&', '||' as const), clauses }),
    ),
  }
}).node

export const userIds = ['ada', 'grace', 'joan', 'mary', 'root'] as const
export const tagIds = ['red', 'blue'] as const

const quoted = (values: readonly string[]) => fc.constantFrom(...values.map((value) => `'${value}'`))
const smallInt = fc.constantFrom('0', '1', '2', '3', '-1')
const ordering = fc.constantFrom('==', '!=', '<', '>', '<=', '>=')
const sameness = fc.constantFrom('==', '!=')

const text = (parts: readonly (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> =>
  fc.tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part))).map((all) => all.join(''))

const joined = (atom: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.letrec<{ all: string }>((tie) => ({
    all: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      atom,
      text(['!(', tie('all'), ')']),
      text(['(', tie('all'), ' && ', tie('all'), ')']),
      text(['(', tie('all'), ' || ', tie('all'), ')']),
    ),
  })).all

/** Well-typed consensus expressions, some of which err. */
export const anyConsensus: fc.Arbitrary<string> = (() => {
  const aboutUser = joined(
    fc.oneof(
      text(['user.id ', sameness, ' ', quoted(userIds)]),
      text(['user.tags.contains(', quoted(tagIds), ')']),
      text([quoted(tagIds), ' in user.tags']),
      text(["user.alias in ['ada', ", quoted(userIds), ']']),
      text(['user.tags.any(tag, tag == ', quoted(tagIds), ')']),
      text(['user.tags.count ', ordering, ' ', smallInt]),
      text(['user.id == approvers[', smallInt, '].id']),
    ),
  )
  const aboutCredential = fc.oneof(
    text(['credential.type ', sameness, " 'CREDENTIAL_TYPE_API_KEY_P256'"]),
    text(['credential.user_id ', sameness, ' ', quoted(userIds)]),
    text(['credential.id == ', quoted(['ada-key-1', 'grace-key-1', 'mary-key-2'])]),
    fc.constant("approvers.any(user, user.id == credential.user_id && credential.credential_id == '')"),
  )
  return joined(
    fc.oneof(
      fc.constantFrom('true', 'false'),
      text(['approvers.', fc.constantFrom('any', 'all'), '(user, ', aboutUser, ')']),
      text(['approvers.filter(user, ', aboutUser, ').count() ', ordering, ' ', smallInt]),
      text(['approvers.count() ', ordering, ' ', smallInt]),
      text(['approvers[', smallInt, '..', smallInt, '].count ', sameness, " '1'"]),
      text(['credentials.', fc.constantFrom('any', 'all'), '(credential, ', aboutCredential, ')']),
      text(['credentials.filter(credential, ', aboutCredential, ').count ', ordering, ' ', smallInt]),
    ),
  )
})()

/** Well-typed conditions, some of which err. */
export const anyCondition: fc.Arbitrary<string> = joined(
  fc.oneof(
    fc.constantFrom('true', 'false'),
    text(['activity.resource ', sameness, ' ', quoted(['USER', 'POLICY'])]),
    text(['activity.action in [', quoted(['CREATE', 'DELETE']), ", 'UPDATE']"]),
    text(['activity.params.amount ', ordering, ' ', smallInt]),
    text(['activity.params.amount ', sameness, " '2'"]),
    text(['activity.params.ids.contains(', quoted(userIds), ')']),
    text(['activity.params.ids[', smallInt, '] ', sameness, ' ', quoted(userIds)]),
    text(['activity.params.ids.all(id, id != ', quoted(userIds), ')']),
    text(['activity.type[0..', smallInt, "] == 'A'"]),
    fc.constant("activity.params.address == '0xABCDEF'"),
  ),
)
