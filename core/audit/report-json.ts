import type { Finding } from '../log/finding.ts'
import type { AuditCounts, AuditedOrganization, AuditReport } from './report.ts'

/** How many organizations were compared with a pin or a head. */
export type Comparisons = {
  readonly organizations: number
  readonly withPin: number
  readonly withHead: number
  readonly withNeither: number
}

/** A report as JSON can carry it. Sequences are text, because a number of JSON may not be exact. */
export type AuditReportJson = {
  readonly counts: AuditCounts
  readonly compared: Comparisons
  readonly organizations: readonly WithTextSequence<AuditedOrganization>[]
  readonly findings: readonly (Omit<Finding, 'sequence'> & { readonly sequence?: string | undefined })[]
  readonly omitted: number
  readonly erasures: AuditReport['erasures']
}

type WithTextSequence<A> = Omit<A, 'sequence'> & { readonly sequence: string }

export const comparisonsOf = (all: readonly AuditedOrganization[]): Comparisons => ({
  organizations: all.length,
  withPin: all.filter(({ isPinned }) => isPinned).length,
  withHead: all.filter(({ isHeadCompared }) => isHeadCompared).length,
  withNeither: all.filter(({ isPinned, isHeadCompared }) => !isPinned && !isHeadCompared).length,
})

export const auditReportJson = ({
  counts,
  organizations,
  findings,
  omitted,
  erasures,
}: AuditReport): AuditReportJson => ({
  counts,
  compared: comparisonsOf(organizations),
  organizations: organizations.map((one) => ({ ...one, sequence: String(one.sequence) })),
  findings: findings.map(({ sequence, ...finding }) => ({
    ...finding,
    sequence: sequence?.toString(), // JSON leaves out undefined
  })),
  omitted,
  erasures,
})
