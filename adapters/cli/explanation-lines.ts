import type { DecisionExplanation } from '../../core/policy-tools/explain-decision.ts'
import type { ExplainedClause, ExplainedPart, ExplainedPolicy } from '../../core/policy-tools/explained-policies.ts'
import type { ExplainedApproval, ExplainedFactors, NamedUser } from '../../core/policy-tools/explained-voters.ts'
import { countOf } from '../inbox/amounts.ts'
import { verdictText } from './simulation-lines.ts'
import { bold, dim, styled, type Line, type Span } from './style.ts'

/** Why a decision came out as it did, for people. */
export const linesOfExplanation = (explained: DecisionExplanation): readonly Line[] => {
  const { activity, kind, type, organization, vote, votes, at, sequence, basis, rules, verdict, says } = explained
  return [
    [bold(kind), `  ${type}`],
    row('activity', activity),
    row('organization', organization),
    row('decision', `after vote ${vote} of ${votes}: ${selectionOf(explained)}`),
    row('taken', `at ${at}, sequence ${sequence}, on the state of sequence ${basis}, by version ${rules} of the rules`),
    row('outcome', bold(verdictText(verdict))),
    row('', says),
    ...sameLines(explained),
    ...quorumLines(explained),
    ...explained.approvals.map((approval, index) =>
      row(index === 0 ? 'approvals' : '', approvalText(approval, explained.factors)),
    ),
    ...explained.factors.map((factors, index) => row(index === 0 ? 'factors' : '', factorsText(factors))),
    ...paramLines(explained),
    ...explained.policies.flatMap(policyLines),
    ...(explained.policies.length === 0 ? [row('policies', dim('none was evaluated'))] : []),
  ]
}

const row = (name: string, ...line: Line): Line => [dim(`  ${name.padEnd(13)}`), ...line]

const selectionOf = ({ selection, user, vote }: DecisionExplanation): string => {
  if (selection === 'VOTE_SELECTION_REJECTED') return `${user} rejected it`
  return vote === 1 ? `${user} requested it` : `${user} approved it`
}

const sameLines = ({ isSame }: DecisionExplanation): readonly Line[] => {
  if (isSame === true) return []
  return isSame === undefined
    ? [row('', styled('yellow')('it cannot be taken again: something that it rests on is not known any more'))]
    : [row('', styled('red')('taken again, it comes out otherwise: countersign audit finds out why'))]
}

const quorumLines = ({ quorum: { threshold, members, approving } }: DecisionExplanation): readonly Line[] => [
  row('root quorum', `${threshold} of ${countOf(members.length, 'member')}; ${approving} of them approve`),
  ...members.slice(0, USERS_MAX).map((member) => row('', nameOf(member))),
  ...(members.length > USERS_MAX ? [row('', `and ${members.length - USERS_MAX} more`)] : []),
]

const USERS_MAX = 20

const nameOf = ({ userId, userName }: NamedUser): string => (userName === '' ? userId : `${userName} ${userId}`)

const approvalText = (
  { credentialId, credentialType, isCounted, ...user }: ExplainedApproval,
  factors: readonly ExplainedFactors[],
): string => {
  const own = factors.find(({ userId }) => userId === user.userId)
  const isFactor = own?.isMet === true && own.met.includes(credentialId)
  const counts = isCounted ? '' : isFactor ? '; it counts as a factor' : '; it does not count'
  return `${nameOf(user)} with ${credentialType ?? 'a credential that was deleted'} ${credentialId}${counts}`
}

const factorsText = ({ mfaPolicyName, requiredMethods, met, isMet, ...user }: ExplainedFactors): string =>
  `${nameOf(user)} by "${mfaPolicyName}": ${met.length} of ${countOf(requiredMethods.length, 'step')} met${isMet ? '' : '; the approval does not count yet'}`

const paramLines = ({ params, isErased }: DecisionExplanation): readonly Line[] => {
  if (params === undefined)
    return [row('params', styled('yellow')(isErased ? 'gone, with the request' : 'not known to this version'))]
  const shown = Object.entries(params).filter(([, value]) => value !== undefined && value !== null)
  if (shown.length === 0) return [row('params', dim('none'))]
  return shown.map(([name, value], index) => row(index === 0 ? 'params' : '', `${name}: ${cut(JSON.stringify(value))}`))
}

const cut = (text: string): string => (text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX - 1)}…` : text)
const TEXT_MAX = 160

const policyLines = ({ policyId, policyName, effect, outcome, says, clauses }: ExplainedPolicy): readonly Line[] => [
  [],
  [bold(`"${policyName}"`), `  ${policyId}  ${effect}  `, bold(outcome)],
  [`  ${says}`],
  ...clauses.flatMap(clauseLines),
]

const clauseLines = ({ clause, text, tree }: ExplainedClause): readonly Line[] =>
  tree === undefined
    ? [
        [dim(`  ${clause}  `), styled('yellow')('cannot be evaluated: what it rests on is not known any more')],
        [`    ${cut(text.replaceAll(/\s+/g, ' '))}`],
      ]
    : [[dim(`  ${clause}`)], ...partLines(tree, 2)]

const partLines = (part: ExplainedPart, depth: number): readonly Line[] => {
  const indent = '  '.repeat(depth)
  const bound = part.variable === undefined ? [] : [dim(`${part.variable.name} = ${part.variable.worth}`)]
  const line: Line = [indent, cut(part.text), ...worthOf(part)]
  const hint = part.hint === undefined ? [] : [[indent, '  ', styled('yellow')(`hint: ${part.hint}`)]]
  return [
    ...(bound.length === 0 ? [] : [[indent.slice(2), ...bound]]),
    line,
    ...hint,
    ...shownParts(part).flatMap((inner) => partLines(inner, depth + (inner.variable === undefined ? 1 : 2))),
  ]
}

const worthOf = ({ state, worth, reason }: ExplainedPart): readonly Span[] => {
  switch (state) {
    case 'value':
      return [dim('  →  '), worth === 'false' ? styled('yellow')(worth) : (worth ?? '')]
    case 'error':
      return ['  ', styled('red')(`✗ error: ${reason ?? ''}`)]
    case 'failed':
      return [dim('  →  '), styled('red')('error')]
    case 'not-reached':
      return [dim('  (not reached)')]
    default:
      return state satisfies never
  }
}

/** Literals say themselves what they are, and of a chain such as `activity.params.x` the whole says what its parts were. */
const shownParts = ({ text, state, parts }: ExplainedPart): readonly ExplainedPart[] => {
  const isChain = state === 'value' && NAMES.test(text)
  return isChain
    ? []
    : parts.filter(
        (part) => !part.isLiteral && !(part.state === 'value' && KEYWORD.test(part.text) && state === 'error'),
      )
}

const NAMES = /^[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*$/
const KEYWORD = /^[a-z]+$/
