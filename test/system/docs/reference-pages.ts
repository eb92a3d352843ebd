import { publicQueries } from '../../core/world/with-host.ts'
/** The pages of `docs/reference/` that come from the definitions, word for word. */
import { failureCodes } from '../../../core/failure-codes.ts'
import { onWire } from '../../../adapters/http/wire-activity.ts'
import { jsonSchemaOf, type AtName, type JsonSchema } from '../../../core/codec/json-schema.ts'
import type { Operation } from '../../../core/definition/operation.ts'
import { createOrganization } from '../../../core/resources/organization/create-organization.ts'
import { publicOperations } from '../../core/world/with-host.ts'
import type { Query } from '../../../core/definition/query.ts'
import { Parameters as VoteParameters } from '../../../core/deciding/ballot.ts'
import { exampleRequests } from './example-request.ts'
import { configurationPage } from './configuration-page.ts'
import { eventsPage } from './events-page.ts'
import { policyLanguagePage } from './policy-language-page.ts'
import { page, shapeTable, table } from './shape-table.ts'
import { telemetryPage } from './telemetry-page.ts'

/** The pages by path. @param serveHelp  what `countersign serve --help` prints */
export const referencePages = async (serveHelp: string): Promise<ReadonlyMap<string, string>> => {
  const requests = await exampleRequests()
  return new Map([
    ['docs/reference/operations.md', operationsPage(requests)],
    ['docs/reference/queries.md', queriesPage(requests)],
    ['docs/reference/failures.md', failuresPage()],
    ['docs/reference/events.md', eventsPage()],
    ['docs/reference/configuration.md', configurationPage(serveHelp)],
    ['docs/reference/telemetry.md', telemetryPage()],
    ['docs/reference/policy-language.md', policyLanguagePage()],
  ])
}

type Requests = ReadonlyMap<string, readonly string[]>

const operationsPage = (requests: Requests): string =>
  page(
    'Operations',
    `This page lists what can be submitted: each operation's route, types and members, and the names that policies know it by.`,
    `An operation is submitted to \`POST /public/v1/submit/<path>\`. The body has \`type\`, \`timestampMs\` (milliseconds since the
epoch, in a string), \`organizationId\` and \`parameters\`, which are the members below. The header \`X-Stamp\` carries the stamp
over the body's bytes. Members that are not listed are ignored, but for \`generateAppProofs\`. The answer is the activity; its
\`intent\` has the parameters and its \`result\` the result, each under the name given here. [The wire](wire.md) says what all
answers have in common. In examples, what you put in stands in angle brackets.`,
    table(
      ['path', 'resource', 'action', 'what it does'],
      publicOperations.map((one) => [
        `[\`${one.path}\`](#${one.path})`,
        one.resource ?? 'none',
        one.action ?? 'none',
        one.summary,
      ]),
    ),
    ...publicOperations.flatMap((one) => operationSection(one, requests)),
    '## `approve_activity` and `reject_activity`',
    `Votes on an activity: no operations, and no activities of their own. Their types are \`ACTIVITY_TYPE_APPROVE_ACTIVITY\` and
\`ACTIVITY_TYPE_REJECT_ACTIVITY\`. The answer is the activity that was voted on.`,
    shapeTable(jsonSchemaOf(VoteParameters)),
    `## \`${createOrganization.path}\``,
    `${createOrganization.summary} It has no route: \`countersign init\`, \`serve --init\` and \`engine.createOrganization\` submit it.`,
    `Type: \`${createOrganization.type}\`.`,
    shapeTable(jsonSchemaOf(createOrganization.codecs.intent)),
    '## Limits of this page',
    `It lists the operations of the package. A running server describes all that it has, those of its host, too, at
\`GET /openapi.json\`; see [Define an operation](../how-to/define-an-operation.md).`,
  )

const operationSection = (
  { path, type, summary, resource, action, versions, codecs, perform }: Operation,
  requests: Requests,
): readonly string[] => [
  `## \`${path}\``,
  summary,
  resource === undefined
    ? `Type \`${type}\`. No policy can allow it: only the root quorum.`
    : `Type \`${type}\`; for policies, resource \`${resource}\` and action \`${action ?? ''}\`.`,
  ...(perform?.outside !== true ? [] : ['It waits for work outside of the organization: the answer may be PENDING.']),
  ...versions.flatMap((version, index) => [
    index === 0
      ? `Parameters, in the answer \`${version.intentName}\`:`
      : `Older form \`${version.type}\`, in the answer \`${version.intentName}\` and \`${version.resultName}\`:`,
    version.codec === undefined
      ? 'Not offered by this version: refused with `UNSUPPORTED`.'
      : shapeTable(jsonSchemaOf(version.codec)),
    ...(index === 0 ? (requests.get(type) ?? []) : []),
  ]),
  `Result, in the answer \`${versions[0]?.resultName ?? ''}\`:`,
  shapeTable(jsonSchemaOf(codecs.result)),
  'Change, as the log keeps it:',
  shapeTable(jsonSchemaOf(codecs.change)),
]

/** What answers show in several places: a section each, which tables refer to. */
const namedIn = (codecs: readonly Query['codecs']['answer'][]) => {
  const found = new Map<string, JsonSchema>()
  const atName: AtName = (name, schema, codec) => {
    const wire = onWire(codec)
    if (!found.has(name)) found.set(name, wire === codec ? schema() : jsonSchemaOf(wire, atName))
    return { $ref: name }
  }
  const schemas = codecs.map((codec) => jsonSchemaOf(codec, atName))
  return { schemas, sections: [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)) }
}

const queriesPage = (requests: Requests): string => {
  const { schemas, sections } = namedIn(publicQueries.map(({ codecs }) => codecs.answer))
  return page(
    'Queries',
    'This page lists what can be asked: the route of each query, the members of its body, and those of its answer.',
    `A query is sent to \`POST /public/v1/query/<path>\`, stamped as an operation is; its body has no \`type\`. It needs no
\`timestampMs\`, unless the server asks for [fresh queries](command-line.md#queries-that-are-sent-again). Every credential of
the organization may ask every query: policies are not consulted. An answer holds at least what was durable in the organization
when the query arrived. The activities of one answer may have 16 MiB together, as they are stored: a page that is larger is
refused with \`REQUEST_INVALID\`, and a smaller \`limit\` helps. One activity alone is always shown.`,
    ...publicQueries.flatMap(({ path, summary, codecs }: Query, index) => [
      `## \`${path}\``,
      summary,
      shapeTable(jsonSchemaOf(codecs.request)),
      ...(requests.get(path) ?? []),
      'The answer:',
      shapeTable(schemas[index] ?? {}),
    ]),
    ...sections.flatMap(([name, schema]) => [`## ${name}`, shapeTable(schema)]),
    '## Limits of this page',
    `It lists the queries of the package. A running server describes all that it has, those of its host, too, at
\`GET /openapi.json\`; see [Define an operation](../how-to/define-an-operation.md).`,
  )
}

const grpcNames: Readonly<Record<number, string>> = {
  1: 'CANCELLED',
  3: 'INVALID_ARGUMENT',
  5: 'NOT_FOUND',
  6: 'ALREADY_EXISTS',
  7: 'PERMISSION_DENIED',
  8: 'RESOURCE_EXHAUSTED',
  9: 'FAILED_PRECONDITION',
  10: 'ABORTED',
  13: 'INTERNAL',
  14: 'UNAVAILABLE',
  16: 'UNAUTHENTICATED',
}

const failuresPage = (): string => {
  return page(
    'Failures',
    'This page lists every way in which Countersign refuses or fails, and what each becomes on the wire.',
    `In the library a failure is a value \`{ code, message, details? }\`, and hosts may switch on \`code\`. Over HTTP it is a status
and a JSON body with \`code\` (gRPC's number), \`message\`, \`details\` and \`turnkeyErrorCode\`. If \`turnkeyErrorCode\` is not the code of
this page, the last of the details is an \`ErrorInfo\`, whose \`reason\` is that code. Codes are stable; messages are for people, and may
change. No message repeats the request.`,
    `Hosts have codes of their own: \`hostFailure('INSUFFICIENT_FUNDS', 'CONFLICT', message)\` makes a failure that has the form of
\`CONFLICT\` on the wire. Its code stands in the log and in the \`ErrorInfo\`.`,
    table(
      ['code', 'HTTP', 'gRPC', '`turnkeyErrorCode`', 'meaning'],
      Object.entries(failureCodes).map(([code, { http, grpc, wire, text }]) => [
        `\`${code}\``,
        String(http),
        `${grpc} ${grpcNames[grpc] ?? ''}`,
        `\`${wire}\``,
        text,
      ]),
    ),
    '## When to try again',
    'These may go well in a moment. The response says after how many seconds, in `Retry-After`:',
    table(
      ['code', 'seconds'],
      Object.entries(failureCodes).flatMap(([code, { retryAfterSeconds: seconds }]) =>
        seconds === undefined ? [] : [[`\`${code}\``, String(seconds)]],
      ),
    ),
    `After \`CONFLICT\`, \`ABORTED\`, \`UNAVAILABLE\`, a timeout or a lost connection, send the same bytes again: they meet the
activity that they created, if they did. See [Pending state](../explanation/pending-state.md). The typed client does that a few times; then its
error has \`retry()\`, which sends the same bytes once more. It does not repeat \`RESOURCE_EXHAUSTED\`, which waiting does not mend, nor what asks it to
wait for more than a minute.`,
    '## Limits of this page',
    'What each operation checks, and in which words it refuses, is in its source and its tests.',
  )
}
