import { personOf } from '../log/personal-part.ts'
import type { Parts } from '../log/parts.ts'
import { markErased } from '../organization/erased-members.ts'
import type { Draft } from '../organization/state.ts'
import { users } from '../organization/users.ts'

/** How often a personal member that was erased has been read, in all logs of an audit. */
export type ErasedReads = { count: number }

/** What a part of an audit gave, and whether it read what was erased: then nothing follows from a difference. */
export type Watched<A> = { readonly given: A | undefined; readonly hasRead: boolean }

/**
 * Runs a part of an audit, and finds out whether it reads personal members that were erased.
 *
 * @throws what `run` throws, unless it has read what was erased: a fallback may be a value that an operation does not expect
 */
export const watched = <A>(reads: ErasedReads, run: () => A): Watched<A> => {
  const before = reads.count
  try {
    const given = run()
    return { given, hasRead: reads.count !== before }
  } catch (cause) {
    if (reads.count === before) throw cause
    return { given: undefined, hasRead: true }
  }
}

/** Marks the users whose personal data in these parts is erased, after the event of the parts was folded. */
export const markErasedIn = (draft: Draft, parts: Parts, reads: ErasedReads): void => {
  for (const [name, bytes] of parts) {
    const userId = bytes === 'erased' ? personOf(name) : undefined
    const user = userId === undefined ? undefined : users.in(draft).get(userId)
    if (user !== undefined) markErased(user, () => (reads.count += 1))
  }
}
