import type { Proposal } from '../deciding/proposal.ts'
import type { Cell } from './cell.ts'
import { readBy } from '../deciding/decider.ts'
import { othersIn, type OtherCells } from './other-cells.ts'

/** Other organizations that have to be loaded before there can be a proposal. */
export type ToRead = { readonly _tag: 'read'; readonly ids: readonly string[] }

/** What a turn proposes, on the present state of its cell and of the other organizations that the operation reads. */
export const proposalOn = (
  { state, tip }: Cell,
  cells: OtherCells,
  {
    atMs,
    clockMs,
    activityId,
    type,
    operation,
    decoded,
    home,
    once,
  }: Omit<Proposal, 'organization' | 'sequence' | 'others'>,
): Proposal | ToRead => {
  const ids = readBy(operation.reads(decoded.intent, state), home)
  const others = othersIn(cells, ids)
  if (others === undefined) return { _tag: 'read', ids }
  // A full literal: with an object spread a turn takes some microseconds more.
  return {
    organization: state,
    sequence: tip.sequence,
    atMs,
    clockMs,
    activityId,
    type,
    operation,
    decoded,
    home,
    others,
    once,
  }
}
