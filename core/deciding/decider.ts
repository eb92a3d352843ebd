import type { Organization } from '../organization/state.ts'
import type { Others } from './others.ts'

/** An activity, of whose organization or parent the users decide. */
export type ToDecide = {
  readonly organization: Organization
  /** The id of the parent, if its users decide. */
  readonly home?: string | undefined
  /** The other organizations that are read for it; the parent is one of them, if its users decide. */
  readonly others: Others
}

/** The organization whose quorum and policies decide on an activity, and whose users vote on it. */
export const deciderOf = ({ organization, home, others }: ToDecide): Organization =>
  home === undefined ? organization : (others.get(home)?.state ?? organization)

/** The ids of the other organizations that are read for an activity: those that its operation reads, and the parent, if its users decide. */
export const readBy = (ids: readonly string[], home: string | undefined): readonly string[] =>
  home === undefined || ids.includes(home) ? ids : [...ids, home].toSorted()
