import { findAll } from '../definition/refusals.ts'
import type { Draft, Organization, State } from '../organization/state.ts'
import { E } from '../prelude.ts'

/**
 * How an operation deletes rows of a state, all or none: intent, result and change say the same.
 *
 * @param what  a row, as a refusal calls it
 * @param idsOf  the rows that an intent names
 */
export const deletes = <A, I>(what: string, rows: State<Map<string, A>>, idsOf: (intent: I) => readonly string[]) => ({
  execute: (intent: I, { organization }: { readonly organization: Organization }) =>
    E.map(() => ({ result: intent, change: intent }))(
      findAll(what, rows.of(organization), idsOf(intent), organization),
    ),
  evolve: (draft: Draft, change: I): void => {
    for (const id of idsOf(change)) rows.in(draft).delete(id)
  },
})
