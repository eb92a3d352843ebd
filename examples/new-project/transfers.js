// @ts-check
import { operation, refuse, resource, state, t } from 'countersign'

/** What an organization has. Only `evolve` changes it. */
export const account = state({
  name: 'account',
  version: 1,
  codec: t.fields({ cents: t.Integer }),
  initial: () => ({ cents: 100_000 }),
})

export const makeTransfer = operation({
  type: 'ACTIVITY_TYPE_MAKE_TRANSFER',
  path: 'make_transfer',
  summary: 'Transfers money.',
  resource: 'TRANSFER', // policies name the operation by these two
  action: 'CREATE',
  intent: t.fields({ to: t.Label, cents: t.Integer }), // what is asked
  result: t.fields({ leftCents: t.Integer }), // what the caller gets
  change: t.fields({ to: t.string, cents: t.Integer }), // what the log keeps, and `evolve` applies
  params: ({ to, cents }) => ({ to, cents }), // what policies see

  execute: ({ to, cents }, { organization }) => {
    const leftCents = account.of(organization).cents - cents
    if (cents < 1) throw refuse.field('cents', 'at least 1')
    if (leftCents < 0) throw refuse.as('ACCOUNT_TOO_SMALL', 'RESOURCE_EXHAUSTED', 'the account has less')
    return { result: { leftCents }, change: { to, cents } }
  },

  evolve: (draft, { cents }) => {
    account.in(draft).cents -= cents
  },
})

export const transfers = resource({ name: 'transfers', states: [account], operations: [makeTransfer] })
