import type { AuditedOrganization, AuditReport, Setback } from '../../core/audit/report.ts'
import type { Finding } from '../../core/log/finding.ts'
import { RULES_VERSION } from '../../core/policy/rules.ts'

/** What an audit found, for a person: a line for each finding, then where each log begins and ends, then a summary. */
export const auditLines = (report: AuditReport): readonly string[] => {
  const { counts, organizations, findings, omitted } = report
  const { lines, events, activities, stamps, decisions, executions, erased } = counts
  const compared = comparisonsOf(organizations)
  const found = findings.length + omitted
  return [
    ...findings.map(findingLine),
    ...(omitted > 0 ? [`and ${omitted} more`] : []),
    ...organizations.flatMap(organizationLines),
    `${lines} lines: ${events} events of ${activities} activities`,
    `${stamps} stamps, ${decisions} decisions and ${executions} executions hold; ${erased} parts are erased`,
    ...believedLines(report),
    `${compared.organizations} organizations: ${compared.withPin} compared with a pin, ${compared.withHead} with a head, ${compared.withNeither} with neither`,
    found === 0 ? everythingHolds(compared) : `${found} finding${found === 1 ? '' : 's'}`,
  ]
}

/** The same for a program. Sequences are text: JSON's numbers do not hold them all. */
export const auditJson = ({ counts, organizations, findings, omitted, setbacks }: AuditReport): unknown => ({
  counts,
  compared: comparisonsOf(organizations),
  organizations: organizations.map((one) => ({ ...one, sequence: String(one.sequence) })),
  findings: findings.map(({ sequence, ...finding }) => ({
    ...finding,
    ...(sequence === undefined ? {} : { sequence: String(sequence) }),
  })),
  omitted,
  setbacks: {
    count: setbacks.count,
    first: setbacks.first.map((one) => ({ ...one, sequence: String(one.sequence) })),
  },
})

/** What is no finding, and yet weaker than the rest. Where there is none of it, nothing is said. */
const believedLines = ({ counts: { byOlderRules, clockBehind }, setbacks: { count, first } }: AuditReport) => [
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
  ...(count === 0
    ? []
    : [
        `${count} ${count === 1 ? 'event is' : 'events are'} earlier than the event before in the same log, which the rules of then allowed:`,
        ...first.map(setbackLine),
        ...(count > first.length ? [`  and ${count - first.length} more`] : []),
      ]),
]

const decisionsWere = (count: number): string => `${count} ${count === 1 ? 'decision was' : 'decisions were'}`

const setbackLine = ({ line, organization, sequence, backMs }: Setback): string =>
  `  line ${line}  ${organization}  sequence ${sequence}  ${backMs} ms earlier`

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
