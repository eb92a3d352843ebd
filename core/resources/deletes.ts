import type { Find } from '../definition/find.ts'
import type { Draft, State } from '../organization/state.ts'

/**
 * How an operation deletes rows of a state, all or none: intent, result and change say the same.
 *
 * @param what  a row, as a refusal calls it
 * @param idsOf  the rows that an intent names
 */
export const deletes = <A, I>(what: string, rows: State<Map<string, A>>, idsOf: (intent: I) => readonly string[]) => ({
  execute: (intent: I, { findAll }: Pick<Find, 'findAll'>) => {
    findAll(what, rows, idsOf(intent))
    return { result: intent, change: intent }
  },
  evolve: (draft: Draft, change: I): void => {
    for (const id of idsOf(change)) rows.in(draft).delete(id)
  },
})
