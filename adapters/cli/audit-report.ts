import { headText } from '../../core/audit/known-text.ts'
import { auditReportJson, comparisonsOf } from '../../core/audit/report-json.ts'
import type { AuditedOrganization, AuditReport } from '../../core/audit/report.ts'
import type { Finding } from '../../core/log/finding.ts'
import type { Standing } from '../../core/ports/event-store.ts'
import type { WrongStanding } from '../../core/projection/compare-standings.ts'
import { believedLines, comparedLine, countLines, erasedLines, everythingHolds } from '../audit/report-lines.ts'
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
  const compared = comparisonsOf(organizations)
  const found = findings.length + omitted
  return [
    ...findings.map(findingLine),
    ...(omitted > 0 ? [`and ${omitted} more`] : []),
    ...(findings.some(({ code }) => code === 'OPERATION_UNKNOWN') ? [`OPERATION_UNKNOWN: ${GIVE_RESOURCES}`] : []),
    ...listed.slice(0, LISTED_MAX).map(listedLine),
    ...(listed.length > LISTED_MAX ? [`and ${listed.length - LISTED_MAX} more`] : []),
    ...organizations.flatMap((one) => organizationLines(one, isClean(report))),
    ...countLines(counts),
    ...erasedLines(report),
    ...believedLines(counts, MAY_BE_MISSING),
    ...(listed.length === 0
      ? []
      : [`${listed.length} ${listed.length === 1 ? 'activity is' : 'activities are'} ${NOT_IN_LOG}`]),
    comparedLine(compared),
    found === 0 ? everythingHolds(compared) : `${found} finding${found === 1 ? '' : 's'}`,
  ]
}

/** The report for a program, as `JSON.stringify` writes it, with each end as `--head` takes it. */
export const auditJson = ({ listed, ...report }: PrintedReport): unknown => ({
  ...auditReportJson(report),
  organizations: report.organizations.map((one) => ({ ...one, sequence: String(one.sequence), head: headText(one) })),
  listed, // JSON leaves out undefined
})

/** What events that are believed may rest on. */
const MAY_BE_MISSING = [
  'a revision of an operation in this version',
  'another organization in this transcript',
  'the keys that sign verification tokens, which --keys gives',
]

/** How many wrong entries of lists are printed. */
const LISTED_MAX = 1_000
const NOT_IN_LOG =
  'listed otherwise than the log says: the lists are beside the log, and an import of its export makes them again'

const listedLine = ({ organization, activity, listed, logged }: WrongStanding): string =>
  `list  ${organization}  ${activity}  listed as ${standingText(listed)}, logged as ${standingText(logged)}`

const standingText = (standing: Standing | undefined): string =>
  standing === undefined ? 'nothing' : `${standing.type} ${standing.status}`

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
