/** The page of events: the members of a line, and what each type carries. */
import { Decision } from '../../../core/log/decision.ts'
import { dataCodecs, encodeEvent, eventVersions, type EventType } from '../../../core/log/event.ts'
import { jsonSchemaOf, type JsonSchema } from '../../../core/codec/json-schema.ts'
import { codecMembersOf, docOf } from './docstrings.ts'
import { page, shapeTable, table } from './shape-table.ts'

const sample = {
  organization: '',
  sequence: 1n,
  activity: '',
  revision: 1n,
  type: 'ActivityStarted',
  version: eventVersions.ActivityStarted,
  id: '',
  at: '',
  previous: '',
  data: { attempt: 1, resumeAt: '', revision: 1 },
  parts: {},
} as const

const envelopeMeanings: Readonly<Record<keyof typeof sample, string>> = {
  organization: 'The id of the organization whose log this is.',
  sequence: 'The place in that log, from 1, without gaps; digits in a string.',
  activity: "The activity's id, derived from the organization and the request.",
  revision: "The event's number in its activity's stream, from 1; digits in a string.",
  type: 'One of the types below.',
  version: `The version of the type's form; this version writes ${Object.entries(eventVersions)
    .map(([type, version]) => `${version} for ${type}`)
    .join(', ')}.`,
  id: "The event's own id, random, with time in front.",
  at: 'When it was decided: RFC 3339, UTC, milliseconds.',
  previous: 'SHA-256 of the line before it in this log, hex; 64 zeros for the first.',
  data: 'The data of the type.',
  parts: 'SHA-256(salt ‖ bytes) of each part, hex, by name. Parts can be erased.',
}

const dataMeanings: ReadonlyMap<string, string> = new Map([
  ['type', 'The type of the activity: as it was submitted; in `ActivityCompleted` the newest form of it.'],
  ['requester', 'The id of the user who submitted it.'],
  ['decision', 'The verdict of the rules, with its basis.'],
  ['fingerprint', '`sha256:` and the SHA-256 of the request body, hex. Approvers name the activity by it.'],
  ['subjects', 'The ids of the users whose personal data the stamped request has; absent if it has none.'],
  [
    'leftOutBytes',
    'The length of the request body, if the event has no part `request`: the activity was denied, and the body is larger than 64 KiB.',
  ],
  ['user', 'The id of the user who votes.'],
  ['selection', 'Approval or rejection.'],
  ['attempt', 'The number of the attempt, from 1.'],
  ['resumeAt', 'When another attempt may follow.'],
  ['result', 'The result for the caller.'],
  ['change', 'The change of the state.'],
  ['performed', 'The value of the work (`perform`).'],
  ['failure', 'Why the activity failed.'],
  ['code', 'One of [Failures](failures.md), or a code of the host.'],
  ['like', 'Beside a code of the host: the code whose form it has on the wire.'],
  ['message', 'A message for people.'],
  ['details', 'Details, as the wire carries them.'],
  ['revision', 'The revision of the operation. If it is absent, it is 1.'],
  ['limits', 'The limits that the operation read for this event, in the order of their names; absent if it read none.'],
])

/** A decision is described once. */
const withoutDecision = (schema: JsonSchema): JsonSchema =>
  schema.properties?.['decision'] === undefined
    ? schema
    : { ...schema, properties: { ...schema.properties, decision: { description: '[decision](#the-decision)' } } }

const decisionMeanings: ReadonlyMap<string, string> = new Map([
  ['verdict', 'The verdict of the rules.'],
  ['outcome', 'The outcome of the verdict, or of one policy.'],
  ['rule', 'See [Rules](#rules).'],
  ['basis', 'Everything that the decision depends on.'],
  ['policyId', 'The id of the policy.'],
  ['organization', 'The id of the organization.'],
  ['sequence', 'Digits in a string.'],
  ['limits', 'The limits that were read to accept what waits for approvals.'],
])

export const eventsPage = (): string => {
  const members = Object.keys(
    JSON.parse(new TextDecoder().decode(encodeEvent(sample))) as object,
  ) as (keyof typeof sample)[] // in the order of the bytes
  const meanings = codecMembersOf('core/log/decision.ts')
  const ruleNames = jsonSchemaOf(Decision).properties?.['verdict']?.properties?.['rule']?.enum ?? []
  return page(
    'Events',
    'This page lists the events of the log: the members of a line, and the data of each type of event.',
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
    'The verdict of the rules at that moment, with its basis. With it and the log, an audit repeats the decision.',
    shapeTable(jsonSchemaOf(Decision), new Map([...decisionMeanings, ...meanings])),
    '## Rules',
    '`decision.verdict.rule` says which rule decided:',
    table(
      ['rule', 'meaning'],
      ruleNames.map((name) => [`\`${name}\``, meanings.get(name) ?? '']),
    ),
    '## Statuses',
    'The last event of an activity determines its status:',
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
