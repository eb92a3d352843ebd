import { headText } from '../../core/audit/known-text.ts'
import { auditReportJson, comparisonsOf, type Comparisons } from '../../core/audit/report-json.ts'
import type { AuditedOrganization, AuditReport, ErasedUser } from '../../core/audit/report.ts'
import type { Finding } from '../../core/log/finding.ts'
import type { Standing } from '../../core/ports/event-store.ts'
import type { WrongStanding } from '../../core/projection/compare-standings.ts'
import { RULES_VERSION } from '../../core/policy/rules.ts'
import { GIVE_RESOURCES } from './stop.ts'

/** The report of an audit; of a store, with the activities that it lists otherwise than its log says. */
export type PrintedReport = AuditReport & { readonly listed?: readonly WrongStanding[] | undefined }

/** Whether there is nothing to complain about, neither in the log nor in the lists beside it. */
export const isClean = ({ findings, omitted, listed = [] }: PrintedReport): boolean =>
  findings.length + omitted + listed.length === 0

/**
 * The report of an audit for a person: a line for each finding and each wrong entry of a list, then the beginning and the end of each log,
 * then a summary.
 */
export const auditLines = (report: PrintedReport): readonly string[] => {
  const { counts, organizations, findings, omitted, listed = [] } = report
  const { lines, events, activities, stamps, decisions, executions, erased } = counts
  const compared = comparisonsOf(organizations)
  const found = findings.length + omitted
  return [
    ...findings.map(findingLine),
    ...(omitted > 0 ? [`and ${omitted} more`] : []),
    ...(findings.some(({ code }) => code === 'OPERATION_UNKNOWN') ? [`OPERATION_UNKNOWN: ${GIVE_RESOURCES}`] : []),
    ...listed.slice(0, LISTED_MAX).map(listedLine),
    ...(listed.length > LISTED_MAX ? [`and ${listed.length - LISTED_MAX} more`] : []),
    ...organizations.flatMap((one) => organizationLines(one, isClean(report))),
    `${lines} lines: ${events} events of ${activities} activities`,
    `${stamps} stamps, ${decisions} decisions and ${executions} executions hold; ${erased} parts are erased`,
    ...erasedLines(report),
    ...leftOutLines(report),
    ...believedLines(report),
    ...(listed.length === 0
      ? []
      : [`${listed.length} ${listed.length === 1 ? 'activity is' : 'activities are'} ${NOT_IN_LOG}`]),
    `${compared.organizations} organizations: ${compared.withPin} compared with a pin, ${compared.withHead} with a head, ${compared.withNeither} with neither`,
    found === 0 ? everythingHolds(compared) : `${found} finding${found === 1 ? '' : 's'}`,
  ]
}

/** The report for a program, as `JSON.stringify` writes it, with each end as `--head` takes it. */
export const auditJson = ({ listed, ...report }: PrintedReport): unknown => ({
  ...auditReportJson(report),
  organizations: report.organizations.map((one) => ({ ...one, sequence: String(one.sequence), head: headText(one) })),
  listed, // JSON leaves out undefined
})

/** How many wrong entries of lists are printed. */
const LISTED_MAX = 1_000
const NOT_IN_LOG =
  'listed otherwise than the log says: the lists are beside the log, and an import of its export makes them again'

const listedLine = ({ organization, activity, listed, logged }: WrongStanding): string =>
  `list  ${organization}  ${activity}  listed as ${standingText(listed)}, logged as ${standingText(logged)}`

const standingText = (standing: Standing | undefined): string =>
  standing === undefined ? 'nothing' : `${standing.type} ${standing.status}`

/** Lines about erasures, and about what cannot be checked any more. Without erased parts there are no lines. */
const erasedLines = ({
  counts: { stampsErased, decisionsErased, executionsErased },
  erasures: { count, first },
}: AuditReport): readonly string[] => [
  ...(stampsErased + decisionsErased + executionsErased === 0
    ? []
    : [
        `${stampsErased} stamps, ${decisionsErased} decisions and ${executionsErased} executions cannot be checked any more: what they rest on is erased`,
      ]),
  ...(count === 0
    ? []
    : [
        `${count} ${count === 1 ? 'erasure' : 'erasures'} of personal data:`,
        ...first.map(erasureLine),
        ...(count > first.length ? [`  and ${count - first.length} more`] : []),
      ]),
]

/** A line about denied requests that are too large for the log, if there are some. */
const leftOutLines = ({ counts: { leftOut } }: AuditReport): readonly string[] => {
  if (leftOut === 0) return []
  const were = leftOut === 1 ? 'request was denied and is' : 'requests were denied and are'
  return [`${leftOut} ${were} left out: only the log says who made ${leftOut === 1 ? 'it' : 'them'}`]
}

const erasureLine = ({ organization, activity, userId, state, at, requester, approvers, parts }: ErasedUser): string =>
  [
    `  ${at}  ${organization}`,
    `user ${userId ?? 'unknown'}`,
    `${parts} ${parts === 1 ? 'part' : 'parts'}`,
    `activity ${activity}, ${state}`,
    `requested by ${requester}`,
    ...(approvers.length === 0 ? [] : [`approved by ${approvers.join(' ')}`]),
  ].join('  ')

/** Lines about events that are no findings, but prove less than the others. Without such events there are no lines. */
const believedLines = ({
  counts: { believed, providerKeys, readBehind, byOlderRules, clockBehind, executionsInPart },
}: AuditReport) => [
  ...(believed === 0 ? [] : [`${believed} ${believed === 1 ? 'event is' : 'events are'} believed: ${itIsMissing}`]),
  ...(providerKeys === 0 ? [] : [`${tokensAre(providerKeys)} signed by keys that the log names: ${ONLY_THE_LOG}`]),
  ...(readBehind === 0 ? [] : [`${readBehind === 1 ? '1 event' : `${readBehind} events`} read a state ${OF_ANOTHER}`]),
  ...(byOlderRules === 0
    ? []
    : [
        `${decisionsWere(byOlderRules)} taken by an older version of the rules than version ${RULES_VERSION}, and hold by that version`,
      ]),
  ...(clockBehind === 0
    ? []
    : [
        `${decisionsWere(clockBehind)} taken while the clock of the server was behind the time of its log: only the server says how old the requests were`,
      ]),
  ...(executionsInPart === 0
    ? []
    : [
        `${executionsInPart} of the executions ${holds(executionsInPart)} without parts that are erased: only the log says what stood there`,
      ]),
]

const ONLY_THE_LOG = 'only the log says that they are those of the identity providers'

const tokensAre = (count: number): string => (count === 1 ? '1 identity token is' : `${count} identity tokens are`)

const OF_ANOTHER = 'of another organization that had changed by then: right, judged by the later one'

const itIsMissing =
  'what they rest on is missing: a revision of an operation in this version, another organization in this transcript, ' +
  'or the keys that sign verification tokens, which --keys gives'

const decisionsWere = (count: number): string => `${count} ${count === 1 ? 'decision was' : 'decisions were'}`

const holds = (count: number): string => (count === 1 ? 'holds' : 'hold')

/**
 * The last line. A made-up log also holds, and so does one that somebody with the whole store has gone on with behind its pin: only a head from
 * elsewhere says that nothing is missing or was written later.
 */
const everythingHolds = ({ organizations, withHead, withNeither }: Comparisons): string => {
  const inItself = 'holds in what the log itself says'
  if (organizations === 0) return `${inItself}; it has no organization`
  if (withHead === organizations) return 'everything holds'
  const were = (count: number, what: string): readonly string[] =>
    count === 0
      ? []
      : [`${count} of ${organizations} organizations ${count === 1 ? 'was' : 'were'} compared with ${what}`]
  const parts = [
    ...were(organizations - withHead - withNeither, 'a pin alone'),
    ...were(withNeither, 'nothing from elsewhere'),
  ]
  return [inItself, ...parts].join('; ')
}

/** The head is printed as a flag only where it can be trusted: a log with findings has no good end. */
const organizationLines = (one: AuditedOrganization, isTrusted: boolean): readonly string[] => [
  `organization ${one.organization}`,
  `  begins with ${one.genesis ?? 'nothing that can be pinned'}${one.isPinned ? ' (compared with the pin)' : ''}`,
  `  ends with   ${one.hash} at sequence ${one.sequence}${one.isHeadCompared ? ' (compared with a head)' : ''}`,
  ...(isTrusted ? [`  next time   --head ${headText(one)}`] : []),
]

const findingLine = ({ line, organization, sequence, code, message }: Finding): string =>
  [`line ${line}`, organization, sequence === undefined ? undefined : `sequence ${sequence}`, code, message]
    .filter((part) => part !== undefined)
    .join('  ')
