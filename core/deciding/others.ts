import type { ReadState } from '../log/decision.ts'
import type { Check } from '../ports/event-store.ts'
import { hasEnded } from '../organization/ended.ts'
import { parentOf } from '../organization/profile.ts'
import type { Organization } from '../organization/state.ts'

/**
 * The organizations that a turn reads besides its own, by id and in the order of their ids: each with the sequence of the last event
 * in its state. One that does not exist has no state, and sequence 0.
 */
export type Others = ReadonlyMap<string, Other>
export type Other = {
  readonly state: Organization | undefined
  readonly sequence: bigint
  /** The id of that last event, where a commit follows. */
  readonly lastId?: string | undefined
}

export const noOthers: Others = new Map()

/** The form in which events name them. */
export const readStatesOf = (others: Others): readonly ReadState[] =>
  [...others].map(([organization, { sequence }]) => ({ organization, sequence: String(sequence) }))

/** The form in which a commit lets the store check them. */
export const checksOf = (others: Others): readonly Check[] =>
  [...others].map(([organization, { sequence, lastId }]) => ({ organization, sequence, after: lastId }))

/** The states of the organizations that exist, and have not ended. Those below this one are there also when they have. */
export const statesOf = (others: Others, organizationId: string): ReadonlyMap<string, Organization> => {
  if (others.size === 0) return NOTHING
  const states = new Map<string, Organization>()
  for (const [organization, { state }] of others)
    if (state !== undefined && (!hasEnded(state) || parentOf(state) === organizationId)) states.set(organization, state)
  return states
}

const NOTHING: ReadonlyMap<string, Organization> = new Map()
