/** The page of the policy language: from the schema, the checker's types, the operations and the bounds. */
import type { Outcome } from '../../../core/log/decision.ts'
import { SPAN_MS_MAX } from '../../../core/policy/cron-span.ts'
import { STEPS_MAX } from '../../../core/policy/evaluator.ts'
import { TEXT_LENGTH_MAX } from '../../../core/policy/expression.ts'
import { PROBLEMS_MAX } from '../../../core/policy/checking.ts'
import { CONSTRUCTORS, FUNCTIONS, reserved } from '../../../core/policy/parser.ts'
import { CLAUSES } from '../../../core/policy/refusal.ts'
import { conditionKeywords, consensusKeywords, timeKeywords } from '../../../core/policy/schema.ts'
import { COMPARISONS, EXPRESSION_DEPTH_MAX } from '../../../core/policy/syntax.ts'
import type { Keywords, Struct, Type } from '../../../core/policy/value-types.ts'
import {
  ALL_NOTES_LENGTH_MAX,
  NEW_TEXTS_LENGTH_MAX,
  TEXTS_LENGTH_MAX,
} from '../../../core/resources/policy/policy-rules.ts'
import { publicOperations } from '../../core/world/with-host.ts'
import { page, table } from './shape-table.ts'
import { transactionsSection } from './transactions-section.ts'

const KEYWORDS: Readonly<Record<(typeof CLAUSES)[number], Keywords>> = {
  condition: conditionKeywords(),
  consensus: consensusKeywords,
  time: timeKeywords,
}

/** Examples of every operator and function; a test compiles each. */
export const EXAMPLES: readonly (readonly [what: string, examples: readonly string[]])[] = [
  ['or', ["wallet.id == 'a' || wallet.id == 'b'"]],
  ['and', ["activity.action == 'SIGN' && eth.tx.value <= 5"]],
  [
    'comparison',
    COMPARISONS.map((operator) => (operator === 'in' ? 'eth.tx.chain_id in [1, 8453]' : `eth.tx.gas ${operator} 5`)),
  ],
  ['not', ['!wallet.imported']],
  ['member', ["activity.resource != 'USER'"]],
  ['item of a list, character of a string', ['solana.tx.transfers[0].amount < 5', "activity.type[0] == 'A'"]],
  ['member of a map', ["eth.tx.contract_call_args['amount'] <= 100"]],
  ['part of a list or string: the second bound is the first item behind it', ["eth.tx.data[0..10] == '0xa9059cbb'"]],
  [
    FUNCTIONS.map((name) => `\`${name}\``).join(', '),
    [
      "private_key.tags.any(tag, tag == 'a')",
      "solana.tx.transfers.all(t, t.to == 'a')",
      "private_key.tags.contains('a')",
      'solana.tx.transfers.filter(t, t.amount > 5).count() == 0',
      'solana.tx.transfers.count == 1',
    ],
  ],
  [
    CONSTRUCTORS.map((name) => `\`${name}\``).join(', '),
    ["time.now < Timestamp('2026-12-31T18:00:00Z')", "CronSpan('0 9 * * 1-5', '8h', 'Europe/Berlin')"],
  ],
  ['literals', ["-5 < 7 && 'text' != '' && true && 1 in [1, 2]"]],
  ['struct', ["solana.tx.transfers.contains({ from: 'a', to: 'b', amount: 5 })"]],
  ['group', ['!(1 == 2 || 1 == 3)']],
]

const TYPES: readonly (readonly string[])[] = [
  ['boolean', '`==` `!=` `in`, `&&` `||` `!`', '`true`, `false`'],
  [
    'number',
    'all comparisons',
    "Whole, from -2^127 to 2^256 - 1. `==` and `!=` take its decimal digits in a string, too: `eth.tx.chain_id == '1'`.",
  ],
  [
    'string',
    '`==` `!=` `in`',
    'In single quotes, without escapes. Two strings that are hexadecimal behind `0x` are compared without regard to capitals.',
  ],
  [
    'timestamp',
    'all comparisons, with timestamps',
    'Only in `time`. RFC 3339 with a zero offset; as exact as its digits.',
  ],
  ['list', '`in`, `contains` and the other functions', '`[]` fits every list. Its items have one type.'],
  ['map', 'none', 'Its members stand in brackets, each by a string literal.'],
  [
    'struct',
    '`==` `!=` `in`, with a struct that the policy gives',
    '`{ name: value }`. Both have the same members, and all of them are compared.',
  ],
  [
    'unknown',
    'all',
    'Known only at the evaluation: parameters, arguments of contracts, messages. A value of the wrong type is then an error.',
  ],
]

const OUTCOMES: Readonly<Record<keyof typeof Outcome.keys, string>> = {
  OUTCOME_ALLOW: 'The policy allows: time, condition and consensus are true.',
  OUTCOME_DENY_EXPLICIT: 'It denies: all of them are true; or they may be, and finding out would take too many steps.',
  OUTCOME_DENY_IMPLICIT:
    'Its condition is false; or its consensus is, and no approvals that are missing could make it true.',
  OUTCOME_REQUIRES_CONSENSUS: 'It would allow with approvals that are still missing.',
  OUTCOME_ERROR:
    'A clause has no value, because something is not there or has another type. It neither allows nor denies.',
  OUTCOME_TIME_INACTIVE: 'Its time is false, whatever its other clauses say.',
  OUTCOME_REJECTED: 'Not given by this version.',
  OUTCOME_REQUIRES_AUTHENTICATORS: 'Not given by this version.',
}

const nameOf = (type: Type): string => {
  if (typeof type === 'string') return NAMES[type]
  if ('struct' in type) return `[${type.struct}](#${type.struct.toLowerCase()})`
  if ('list' in type) return `list of ${nameOf(type.list)}`
  return 'map' in type ? `map of ${nameOf(type.map)}` : `${nameOf(type.believed)}, not checked`
}

const NAMES = { bool: 'boolean', int: 'number', string: 'string', timestamp: 'timestamp', dynamic: 'unknown' } as const

/** The structs that types are made of, each once, in the order in which they are met. */
const structsOf = (types: readonly Type[], found: Map<string, Struct> = new Map()): ReadonlyMap<string, Struct> => {
  for (const type of types) {
    if (typeof type === 'string') continue
    if ('list' in type) structsOf([type.list], found)
    else if ('map' in type) structsOf([type.map], found)
    else if ('believed' in type) structsOf([type.believed], found)
    else if (!found.has(type.struct)) {
      found.set(type.struct, type)
      structsOf(Object.values(type.fields), found)
    }
  }
  return found
}

const structSection = ({ struct, fields, optional, others }: Struct): readonly string[] => [
  `### ${struct}`,
  table(
    ['member', 'type', 'may be absent'],
    [
      ...Object.entries(fields).map(([name, type]) => [
        `\`${name}\``,
        nameOf(type),
        optional?.has(name) === true ? 'yes' : 'no',
      ]),
      ...(others === undefined ? [] : [['any other', nameOf(others), 'yes']]),
    ],
  ),
]

const numbered = (value: number): string => value.toLocaleString('en-US')

const keywords = (): readonly string[] => [
  '## Keywords',
  'Each clause has keywords of its own. One that the activity does not have is an error of the evaluation.',
  table(
    ['clause', 'keyword', 'type'],
    CLAUSES.flatMap((clause) =>
      Object.entries(KEYWORDS[clause]).map(([name, type]) => [clause, `\`${name}\``, nameOf(type)]),
    ),
  ),
  `\`wallet\`, \`wallet_account\` and \`private_key\` are what signs, or is exported; \`wallets\` what is changed or deleted. A host gives values to
keywords of its own with \`facts\`: see [Define an operation](../how-to/define-an-operation.md).`,
  ...transactionsSection(),
  '## Structs',
  ...[...structsOf(CLAUSES.flatMap((clause) => Object.values(KEYWORDS[clause]))).values()].flatMap(structSection),
]

/** A condition of a DENY that never errs where it could be true; a test compiles it. */
export const GUARDED = "activity.kind == 'DELETE_USERS' && activity.params.user_ids.contains('<user id>')"

const surroundings = (): readonly string[] => [
  '## Parameters',
  'What `activity.params` has. Operations that are not listed give none.',
  table(
    ['operation', 'parameters'],
    publicOperations
      .filter(({ paramNames }) => paramNames === undefined || paramNames.length > 0)
      .map(({ path, paramNames }) => [
        `[\`${path}\`](operations.md#${path})`,
        paramNames?.map((name) => `\`${name}\``).join(', ') ?? 'not named',
      ]),
  ),
  '## Outcomes',
  table(
    ['outcome', 'when'],
    Object.entries(OUTCOMES).map(([outcome, meaning]) => [`\`${outcome}\``, meaning]),
  ),
  '## A DENY that cannot be evaluated does not deny',
  `If a clause has no value, the outcome is \`OUTCOME_ERROR\`, also for a policy with \`EFFECT_DENY\`: then it denies nothing, and another policy may
allow the activity. That happens if it reads a parameter or a keyword that the activity does not have, or an item or a part that is out of range.
No operator looks whether something is there, and \`&&\` does not keep its other side from being evaluated. So:

- Guard the read: say in the same condition for which operations it holds, where all of them have what it reads. Elsewhere it errs, and would deny
  nothing anyway: \`${GUARDED}\`.
- Write one policy for each operation, rather than one for operations with other parameters.
- If a parameter may be absent, turn it round: an \`EFFECT_ALLOW\` for what may be done. Where it errs, it allows nothing, and what no policy allows is
  denied, unless the root quorum or [own credentials](../how-to/write-a-policy.md#how-policies-add-up) decide.

[\`countersign policy check\`](command-line.md#policy-check) and the log of the server warn of a policy that denies and does not keep to that.
They look at each operation that the rest of the condition can be true for.`,
  '## Refusals',
  `A text that cannot be evaluated is refused with \`REQUEST_INVALID\`: \`invalid policy condition: …\`, \`consensus\` and \`time\` likewise.
The message tells the first mistake of the syntax, or else all mistakes of names and types, at most ${PROBLEMS_MAX}, each with line and column, what was
expected and what was found, and for a name that does not exist the nearest one that does. It repeats no string of the text.`,
  '## Bounds',
  table(
    ['what', 'bound'],
    [
      ['characters of an expression', numbered(TEXT_LENGTH_MAX)],
      ['levels of an expression', numbered(EXPRESSION_DEPTH_MAX)],
      ['steps of an evaluation', numbered(STEPS_MAX)],
      ['duration of a span of time', `${SPAN_MS_MAX / 86_400_000} days`],
      ['characters of all expressions of an organization', numbered(TEXTS_LENGTH_MAX)],
      ['characters of the expressions in one request', numbered(NEW_TEXTS_LENGTH_MAX)],
      ['characters of all notes of an organization', numbered(ALL_NOTES_LENGTH_MAX)],
    ],
  ),
]

export const policyLanguagePage = (): string =>
  page(
    'Policy language',
    'This page lists what the expressions of policies are made of. [Write a policy](../how-to/write-a-policy.md) says how to use them.',
    '## Types',
    table(['type', 'compared by', 'notes'], TYPES),
    '## Operators and functions',
    `From the loosest to the tightest: \`||\`, then \`&&\`, then ${COMPARISONS.map((one) => `\`${one}\``).join(' ')}, then \`!\`, then
what stands behind a value: \`.\`, \`[ ]\` and calls. Comparisons do not chain. Parentheses group. All parts of an expression are
evaluated, also where the result is known already, and one error is an error of the whole.`,
    table(
      ['what', 'example'],
      EXAMPLES.map(([what, examples]) => [what, examples.map((one) => `\`${one}\``).join('<br>')]),
    ),
    `The variable of \`all\`, \`any\` and \`filter\` may have any name but ${[...reserved].map((one) => `\`${one}\``).join(', ')} and those of
\`activity\`, \`approvers\`, \`credentials\`, \`time\` and the keywords of a host, in the clause that has them. It hides any other keyword of its name.`,
    ...keywords(),
    ...surroundings(),
    '## Limits of this page',
    `It lists what the package has; a host may add keywords and parameters. The steps of a whole decision are in
[Consensus](../explanation/consensus.md#looking-ahead).`,
  )
