import type { Comparisons } from '../../core/audit/report-json.ts'
import type { AuditCounts, AuditReport, ErasedUser } from '../../core/audit/report.ts'
import { RULES_VERSION } from '../../core/policy/rules.ts'

/** What was counted, and what holds. */
export const countLines = ({
  lines,
  events,
  activities,
  stamps,
  decisions,
  executions,
  erased,
}: AuditCounts): readonly string[] => [
  `${lines} lines: ${events} events of ${activities} activities`,
  `${stamps} stamps, ${decisions} decisions and ${executions} executions hold; ${erased} parts are erased`,
]

/** Lines about erasures, and about what cannot be checked any more. Without erased parts there are no lines. */
export const erasedLines = ({
  counts: { stampsErased, decisionsErased, executionsErased },
  erasures: { count, first },
}: Pick<AuditReport, 'counts' | 'erasures'>): readonly string[] => [
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

const erasureLine = ({ organization, activity, userId, state, at, requester, approvers, parts }: ErasedUser): string =>
  [
    `  ${at}  ${organization}`,
    `user ${userId ?? 'unknown'}`,
    `${parts} ${parts === 1 ? 'part' : 'parts'}`,
    `activity ${activity}, ${state}`,
    `requested by ${requester}`,
    ...(approvers.length === 0 ? [] : [`approved by ${approvers.join(' ')}`]),
  ].join('  ')

/**
 * Lines about events that are no findings, but prove less than the others. Without such events there are no lines.
 *
 * @param missing  what an event that is believed may rest on, and the audit may not have
 */
export const believedLines = (
  { leftOut, believed, providerKeys, readBehind, byOlderRules, clockBehind, executionsInPart }: AuditCounts,
  missing: readonly string[],
): readonly string[] => [
  ...leftOutLines(leftOut),
  ...(believed === 0
    ? []
    : [
        `${believed} ${believed === 1 ? 'event is' : 'events are'} believed: what they rest on is missing: ${anyOf(missing)}`,
      ]),
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

/** A line about denied requests that are too large for the log, if there are some. */
const leftOutLines = (leftOut: number): readonly string[] => {
  if (leftOut === 0) return []
  const were = leftOut === 1 ? 'request was denied and is' : 'requests were denied and are'
  return [`${leftOut} ${were} left out: only the log says who made ${leftOut === 1 ? 'it' : 'them'}`]
}

const anyOf = (all: readonly string[]): string => `${all.slice(0, -1).join(', ')}, or ${all.at(-1)}`

const ONLY_THE_LOG = 'only the log says that they are those of the identity providers'

const tokensAre = (count: number): string => (count === 1 ? '1 identity token is' : `${count} identity tokens are`)

const OF_ANOTHER = 'of another organization that had changed by then: right, judged by the later one'

const decisionsWere = (count: number): string => `${count} ${count === 1 ? 'decision was' : 'decisions were'}`

const holds = (count: number): string => (count === 1 ? 'holds' : 'hold')

/** What was compared with facts from elsewhere. */
export const comparedLine = ({ organizations, withPin, withHead, withNeither }: Comparisons): string =>
  `${organizations} organizations: ${withPin} compared with a pin, ${withHead} with a head, ${withNeither} with neither`

/**
 * The sentence about a log without findings. A made-up log also holds, and so does one that somebody with the whole store has gone on with behind
 * its pin: only a head from elsewhere says that nothing is missing or was written later.
 */
export const everythingHolds = ({ organizations, withHead, withNeither }: Comparisons): string => {
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
