import { parse } from './parser.ts'
import { truthOf, unknown, valueOf, type Names, type Reading } from './possible-value.ts'
import { consensusKeywords } from './schema.ts'
import { elementOf, isListLike, type Keywords } from './value-types.ts'

/** An operation as conditions see it: `activity` of one of its types, and what an activity of it has. */
export type SeenOperation = {
  readonly path: string
  readonly activity: { readonly [field in 'type' | 'kind' | 'resource' | 'action']: string }
  /** The parameters, each with whether an activity may lack it; undefined if nobody knows them. */
  readonly params: ReadonlyMap<string, boolean> | undefined
  /** Whether it may give values to keywords besides `activity`. */
  readonly hasFacts: boolean
}

/** The operations that a policy can be about, and the keywords of conditions. */
export type Reach = { readonly operations: readonly SeenOperation[]; readonly keywords: Keywords }

/**
 * What a policy that denies would not deny, because an error of its condition or its consensus keeps it from that: a sentence for each
 * thing that can be absent. An operation counts only if the rest of the expression can be true for it.
 *
 * The condition is evaluated for each operation, and the consensus for some numbers of approvers, with values that may be unknown. So nothing
 * is said of what cannot err. But not all that can err is found: a parameter may also have a value of another type.
 */
export const undeniedBy = (
  { condition, consensus }: { readonly condition: string; readonly consensus: string },
  { operations, keywords }: Reach,
): readonly string[] => {
  const steps = { left: STEPS_MAX }
  const found = new Map<string, Set<string>>()
  const ofCondition = gapsIn(condition, steps)
  for (const operation of operations)
    for (const gap of ofCondition(namesIn(operation, keywords)))
      found.set(gap, (found.get(gap) ?? new Set()).add(operation.path))
  const alone = new Set<string>()
  const ofConsensus = gapsIn(consensus, steps)
  for (let count = 1; count <= APPROVERS_MAX; count += 1) for (const gap of ofConsensus(namesAt(count))) alone.add(gap)
  return [
    ...[...found].map(([gap, paths]) => `condition: an activity ${gap} is not denied: ${someOf([...paths])}`),
    ...[...alone].map((gap) => `consensus: an activity ${gap} is not denied`),
  ]
}

/** The nodes that are evaluated for one policy: others wait meanwhile. Of a policy with more than some 700, only a part of the operations is looked at. */
const STEPS_MAX = 20_000

/** The most approvers for whom a consensus is tried. */
const APPROVERS_MAX = 10

const NAMES_MAX = 3

const someOf = (paths: readonly string[]): string =>
  paths.length <= NAMES_MAX + 1
    ? paths.join(', ')
    : `${paths.slice(0, NAMES_MAX).join(', ')} and ${paths.length - NAMES_MAX} more`

/** What may be absent in an expression that can be true apart from that. */
const gapsIn = (text: string, steps: Reading['steps']): ((names: Names) => ReadonlySet<string>) => {
  const parsed = text === '' ? undefined : parse(text)
  if (parsed?._tag !== 'Right') return () => new Set()
  return (names) => {
    const gaps = new Set<string>()
    const value = valueOf({ ...names, steps, gaps }, parsed.right, new Map())
    return steps.left < 0 || truthOf(value) === false ? new Set() : gaps
  }
}

const namesIn = ({ activity, params, hasFacts }: SeenOperation, keywords: Keywords): Names => {
  const fields: ReadonlyMap<string, string> = new Map(Object.entries(activity))
  return {
    keyword: (name) => (name === 'activity' || hasFacts ? unknown(keywords[name]) : undefined),
    activityField: (name) => fields.get(name),
    lacksParam: (name) => params !== undefined && (params.get(name) ?? true),
  }
}

/** At each decision somebody has approved; each approver with one credential. */
const namesAt = (count: number): Names => ({
  keyword: (name) => {
    const type = consensusKeywords[name]
    const item = type !== undefined && isListLike(type) ? elementOf(type) : undefined
    return { _tag: 'list', items: Array.from({ length: count }, () => unknown(item)) }
  },
  activityField: () => undefined,
  lacksParam: () => false,
})
