/** The page of events: the members of a line, and what each type carries. */
import { Decision } from '../../core/activity/decision.ts'
import { dataCodecs, encodeEvent, EVENT_VERSION, type EventType } from '../../core/log/event.ts'
import { jsonSchemaOf, type JsonSchema } from '../../core/operations/json-schema.ts'
import { codecMembersOf, docOf } from './docstrings.ts'
import { page, shapeTable, table } from './shape-table.ts'

const sample = {
  organization: '',
  sequence: 1n,
  activity: '',
  revision: 1n,
  type: 'ActivityStarted',
  version: EVENT_VERSION,
  id: '',
  at: '',
  previous: '',
  data: { attempt: 1, resumeAt: '' },
  parts: {},
} as const

const envelopeMeanings: Readonly<Record<keyof typeof sample, string>> = {
  organization: 'The id of the organization whose log this is.',
  sequence: 'The place in that log, from 1, without gaps; digits in a string.',
  activity: "The activity's id, derived from the organization and the request.",
  revision: "The event's number in its activity's stream, from 1; digits in a string.",
  type: 'One of the types below.',
  version: `The version of the type's form; this version writes ${EVENT_VERSION}.`,
  id: "The event's own id, random, with time in front.",
  at: 'When it was decided: RFC 3339, UTC, milliseconds.',
  previous: 'SHA-256 of the line before it in this log, hex; 64 zeros for the first.',
  data: 'What the type carries.',
  parts: 'SHA-256(salt ‖ bytes) of each part, hex, by name: what can be erased.',
}

const dataMeanings: ReadonlyMap<string, string> = new Map([
  ['type', 'The type of the activity: as it was submitted; in `ActivityCompleted` the newest form of it.'],
  ['requester', 'The id of the user who submitted it.'],
  ['decision', 'What the rules said.'],
  ['fingerprint', '`sha256:` and the SHA-256 of the request body, hex: what approvers name the activity by.'],
  ['user', 'The id of the user who votes.'],
  ['selection', 'For or against.'],
  ['attempt', 'From 1.'],
  ['resumeAt', 'When another attempt may follow.'],
  ['result', 'What the caller gets.'],
  ['change', 'What it does to the organization.'],
  ['performed', 'What the work outside brought.'],
  ['failure', 'Why.'],
  ['code', 'One of [Failures](failures.md).'],
  ['message', 'For people.'],
  ['details', 'As the wire carries them.'],
])

/** A decision is described once. */
const withoutDecision = (schema: JsonSchema): JsonSchema =>
  schema.properties?.['decision'] === undefined
    ? schema
    : { ...schema, properties: { ...schema.properties, decision: { description: '[decision](#the-decision)' } } }

const decisionMeanings: ReadonlyMap<string, string> = new Map([
  ['verdict', 'What was decided.'],
  ['outcome', 'What follows from it; of a policy, what it said.'],
  ['rule', 'See [Rules](#rules).'],
  ['basis', 'All that it was decided on.'],
  ['policyId', 'Which policy.'],
  ['organization', 'Its id.'],
  ['sequence', 'Digits in a string.'],
  ['limits', 'Limits on the number of resources that were not the default.'],
])

export const eventsPage = (): string => {
  const members = Object.keys(
    JSON.parse(new TextDecoder().decode(encodeEvent(sample))) as object,
  ) as (keyof typeof sample)[] // in the order of the bytes
  const meanings = codecMembersOf('core/activity/decision.ts')
  const ruleNames = jsonSchemaOf(Decision).properties?.['verdict']?.properties?.['rule']?.enum ?? []
  return page(
    'Events',
    'This page lists the events of the log: the members of a line, and what each type of event carries.',
    `An event is one line of UTF-8 JSON. Its members stand in the order of this table, always. How lines become a chain, and an
export, is in [Log format](log-format.md).`,
    table(
      ['member', 'meaning'],
      members.map((name) => [`\`${name}\``, envelopeMeanings[name]]),
    ),
    ...(Object.keys(dataCodecs) as EventType[]).flatMap((type) => [
      // what it was made of
      `## \`${type}\``,
      docOf('core/log/event.ts', type),
      shapeTable(withoutDecision(jsonSchemaOf(dataCodecs[type])), dataMeanings),
    ]),
    '## The decision',
    'What the rules said at that moment, and on what. With it and the log, an audit takes the decision again.',
    shapeTable(jsonSchemaOf(Decision), new Map([...decisionMeanings, ...meanings])),
    '## Rules',
    '`decision.verdict.rule` says which rule decided:',
    table(
      ['rule', 'meaning'],
      ruleNames.map((name) => [`\`${name}\``, meanings.get(name) ?? '']),
    ),
    '## Statuses',
    'The status of an activity is what its last event leads to:',
    table(
      ['event', 'status'],
      [
        ['`ActivityCreated`, `ActivityVoted` with outcome `ALLOWED`', '`ACTIVITY_STATUS_PENDING`'],
        ['… with outcome `CONSENSUS_NEEDED`', '`ACTIVITY_STATUS_CONSENSUS_NEEDED`'],
        ['… with outcome `DENIED` or `REJECTED`', '`ACTIVITY_STATUS_REJECTED`'],
        ['`ActivityStarted`', '`ACTIVITY_STATUS_PENDING`'],
        ['`ActivityCompleted`', '`ACTIVITY_STATUS_COMPLETED`'],
        ['`ActivityFailed`', '`ACTIVITY_STATUS_FAILED`'],
      ],
    ),
    '## Limits of this page',
    "The members of `change` and `result` are each operation's own: see [Operations](operations.md).",
  )
}
