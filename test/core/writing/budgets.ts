import * as t from '../../../core/codec/t.ts'
import { operation, type Operation } from '../../../core/definition/operation.ts'
import { state, type Organization } from '../../../core/organization/state.ts'
import { resource, type Resource } from '../../../core/definition/resource.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import { refuse } from '../../../core/definition/refuse.ts'
import type { ActivityView } from '../../../core/view/activity-view.ts'
import { begin, right, stamped, world, type Signer, type World, type WorldOptions } from '../world/world.ts'

/* Organizations that spend what another one, the head office, has set as a budget for each of them. */

const budget = state({
  name: 'budget',
  version: 1,
  codec: t.fields({ cents: t.number, spent: t.number }),
  initial: () => ({ cents: 0, spent: 0 }),
})

/** Sets the budget that others may spend. */
const setBudget = operation({
  type: 'ACTIVITY_TYPE_SET_BUDGET',
  path: 'set_budget',
  summary: 'Sets the budget of those who ask this organization.',
  intent: t.fields({ cents: t.number }),
  result: t.fields({}),
  change: t.fields({ cents: t.number }),
  execute: ({ cents }) => ({ result: {}, change: { cents } }),
  evolve: (draft, { cents }) => void (budget.in(draft).cents = cents),
})

const over = () => refuse('REQUEST_INVALID', 'the head office does not allow that much')

type Asked = { readonly cents: number; readonly from: readonly string[] }
type Spending = { readonly reads?: (asked: Asked, organization: Organization) => readonly string[] }
type Outside = {
  readonly pay?: () => Promise<{ readonly paid: boolean }>
  readonly resumeAfterMs?: number
}

const spendable = (others: ReadonlyMap<string, Organization>): number =>
  [...others.values()].reduce((sum, other) => sum + budget.of(other).cents, 0)

const shared = {
  intent: t.fields({ cents: t.number, from: t.readonlyArray(t.string) }),
  result: t.fields({ left: t.number, read: t.readonlyArray(t.string) }),
  change: t.fields({ cents: t.number }),
  evolve: (draft: Parameters<typeof budget.in>[0], { cents }: { readonly cents: number }) =>
    void (budget.in(draft).spent += cents),
}
type Context = { readonly organization: Organization; readonly others: ReadonlyMap<string, Organization> }
const spent = ({ cents }: Asked, { organization, others }: Context) => {
  const left = spendable(others) - budget.of(organization).spent - cents
  if (left < 0) throw over()
  return { result: { left, read: [...others.keys()] }, change: { cents } }
}

/** Spends what the organizations that are named have set as budgets, together. */
export const spend = ({ reads = ({ from }) => from }: Spending = {}): Operation =>
  operation({
    ...shared,
    type: 'ACTIVITY_TYPE_SPEND',
    path: 'spend',
    summary: 'Spends.',
    resource: 'MONEY',
    action: 'CREATE',
    reads,
    execute: spent,
  })

/** As `spend`, by a payment outside. */
export const spendOutside = ({ pay = async () => ({ paid: true }), resumeAfterMs = 1_000 }: Outside = {}): Operation =>
  operation({
    ...shared,
    type: 'ACTIVITY_TYPE_SPEND_OUTSIDE',
    path: 'spend_outside',
    summary: 'Spends, by a payment.',
    reads: ({ from }) => from,
    check: ({ cents }, { others }) => {
      if (spendable(others) < cents) throw over()
      return { cents }
    },
    perform: {
      outside: true,
      resumeAfterMs,
      attemptsMax: 3,
      whenInterrupted: 'retry',
      performed: t.fields({ paid: t.boolean }),
      run: pay,
    },
    execute: spent,
  })

export const moneyOperations = (spending: Spending = {}, outside: Outside = {}): readonly Operation[] => [
  setBudget,
  spend(spending),
  spendOutside(outside),
]

export const withBudgets = (operations: readonly Operation[] = moneyOperations()): readonly Resource[] => [
  ...publicApi,
  resource({ name: 'budgets', states: [budget], operations }),
]

/** A branch, which is the world's own organization, and a head office. */
export type Offices = World & {
  readonly office: string
  /** The head office sets a budget. */
  readonly allow: (cents: number) => Promise<ActivityView>
  readonly allowIn: (engine: World['engine'], cents: number) => Promise<ActivityView>
  readonly bodyOfAllow: (cents: number) => Uint8Array
  readonly officeRoot: Signer
}

export const offices = async (options: WorldOptions = {}): Promise<Offices> => {
  const w = await world({ resources: withBudgets(), ...options })
  const { root: officeRoot, organizationId: office } = await begin(w)
  const bodyOfAllow = (cents: number) => w.body('set_budget', { cents }, { organizationId: office })
  const allowIn = async (engine: World['engine'], cents: number) =>
    right(await engine.submit('set_budget', stamped(officeRoot, bodyOfAllow(cents)))())
  return { ...w, office, allow: (cents) => allowIn(w.engine, cents), allowIn, bodyOfAllow, officeRoot }
}

/** What the result of spending says. */
export const spentResult = ({ result }: ActivityView): unknown => result.spendResult ?? result.spendOutsideResult
