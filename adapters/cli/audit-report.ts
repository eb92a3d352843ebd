import type { AuditedOrganization, AuditReport } from '../../core/audit/report.ts'
import type { Finding } from '../../core/log/finding.ts'

/** What an audit found, for a person: a line for each finding, then where each log begins and ends, then a summary. */
export const auditLines = ({ counts, organizations, findings, omitted }: AuditReport): readonly string[] => {
  const { events, stamps, decisions, executions, erased } = counts
  const compared = comparisonsOf(organizations)
  const found = findings.length + omitted
  return [
    ...findings.map(findingLine),
    ...(omitted > 0 ? [`and ${omitted} more`] : []),
    ...organizations.flatMap(organizationLines),
    `${events} events: ${stamps} stamps, ${decisions} decisions and ${executions} executions hold; ${erased} parts are erased`,
    `${compared.organizations} organizations: ${compared.withPin} compared with a pin, ${compared.withHead} with a head, ${compared.withNeither} with neither`,
    found === 0 ? everythingHolds(compared) : `${found} finding${found === 1 ? '' : 's'}`,
  ]
}

/** The same for a program. Sequences are text: JSON's numbers do not hold them all. */
export const auditJson = (report: AuditReport): unknown => ({
  counts: report.counts,
  compared: comparisonsOf(report.organizations),
  organizations: report.organizations.map((one) => ({ ...one, sequence: String(one.sequence) })),
  findings: report.findings.map(({ sequence, ...finding }) => ({
    ...finding,
    ...(sequence === undefined ? {} : { sequence: String(sequence) }),
  })),
  omitted: report.omitted,
})

/** Of how many organizations something was compared that is known from elsewhere. */
type Comparisons = {
  readonly organizations: number
  readonly withPin: number
  readonly withHead: number
  readonly withNeither: number
}

const comparisonsOf = (all: readonly AuditedOrganization[]): Comparisons => ({
  organizations: all.length,
  withPin: all.filter(({ isPinned }) => isPinned).length,
  withHead: all.filter(({ isHeadCompared }) => isHeadCompared).length,
  withNeither: all.filter(({ isPinned, isHeadCompared }) => !isPinned && !isHeadCompared).length,
})

/** A log that somebody made up holds, too: whoever reads that everything holds learns how much of it may be such a log. */
const everythingHolds = ({ organizations, withNeither }: Comparisons): string => {
  if (organizations === 0) return 'everything holds in what the log says; it has no organization'
  if (withNeither === 0) return 'everything holds'
  const share = `${withNeither} of ${organizations} organizations ${withNeither === 1 ? 'was' : 'were'}`
  return `everything holds in what the log says; ${share} compared with nothing from elsewhere`
}

const organizationLines = (one: AuditedOrganization): readonly string[] => [
  `organization ${one.organization}`,
  `  begins with ${one.genesis ?? 'nothing that can be pinned'}${one.isPinned ? ' (compared with the pin)' : ''}`,
  `  ends with   ${one.hash} at sequence ${one.sequence}${one.isHeadCompared ? ' (compared with a head)' : ''}`,
]

const findingLine = ({ line, organization, sequence, code, message }: Finding): string =>
  [`line ${line}`, organization, sequence === undefined ? undefined : `sequence ${sequence}`, code, message]
    .filter((part) => part !== undefined)
    .join('  ')
