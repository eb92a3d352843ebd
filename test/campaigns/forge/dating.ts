import type { Json } from '../../../core/failure.ts'
import type { Draft } from '../../core/audit/forgery.ts'

/** Gives an event another time. */
export const date = (event: Draft['event'], atMs: number): void => {
  event.at = new Date(atMs).toISOString()
  const { basis } = (event.data.decision ?? {}) as { readonly basis?: { [member: string]: Json } } // our own log
  if (basis !== undefined) basis.at = event.at
}

/** Every event has the time of the one before it, at least. */
export const forward = (drafts: readonly Draft[]): readonly Draft[] => {
  const last = new Map<string, number>()
  for (const { event } of drafts) {
    const beforeMs = last.get(event.organization) ?? 0
    if (Date.parse(event.at) < beforeMs) date(event, beforeMs)
    last.set(event.organization, Date.parse(event.at))
  }
  return drafts
}

/** Events of one time stay as they are. */
export const inOrderOfTime = (drafts: readonly Draft[]): readonly Draft[] =>
  drafts.toSorted((a, b) => Date.parse(a.event.at) - Date.parse(b.event.at))
