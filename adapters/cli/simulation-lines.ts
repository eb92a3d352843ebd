import type {
  DecisionDifference,
  PolicyDifference,
  ShortVerdict,
  Simulation,
} from '../../core/policy-tools/simulate-policies.ts'
import { countOf } from '../inbox/amounts.ts'

/** A decision that comes out otherwise: one line, and one for each policy that differs. */
export const linesOfDifference = (difference: DecisionDifference): readonly string[] => {
  const { at, kind, activity, vote, user, before, after, policies } = difference
  return [
    `${at} ${kind} ${activity}, vote ${vote} by ${user}: ${verdictText(before)}; now ${verdictText(after)}`,
    ...policies.map(policyLine),
  ]
}

/** A verdict, such as `ALLOWED (policies)`. */
export const verdictText = ({ outcome, rule }: ShortVerdict): string => `${outcome} (${rule})`

const policyLine = ({ policyName, policyId, before, after }: PolicyDifference): string => {
  const id = policyId === undefined ? '' : ` ${policyId}`
  return `  "${policyName}"${id}: ${before ?? 'not there'}; now ${after ?? 'not there'}`
}

/** The totals, by kind of activity. */
export const linesOfSimulation = ({ kinds, ...totals }: Simulation): readonly string[] => [
  ...kinds.map(({ kind, decisions, differences, changes }) => {
    const found = Object.entries(changes).map(([change, count]) => `${change}: ${count.toLocaleString('en')}`)
    const otherwise =
      differences === 0 ? 'none otherwise' : `${differences.toLocaleString('en')} otherwise (${found.join(', ')})`
    return `${kind}: ${countOf(decisions, 'decision')}, ${otherwise}`
  }),
  `${countOf(totals.decisions, 'decision')} taken again: ${comesOut(totals.differences)} otherwise`,
  ...(totals.erased === 0
    ? []
    : [`${countOf(totals.erased, 'decision')} cannot be taken again: what they rest on is gone`]),
  ...(totals.unknown === 0
    ? []
    : [
        `${countOf(totals.unknown, 'decision')} cannot be taken again: this version does not know the operation, or could not ask it`,
      ]),
]

const comesOut = (count: number): string => (count === 0 ? 'none comes out' : `${count.toLocaleString('en')} came out`)
