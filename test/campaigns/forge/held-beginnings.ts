import type { EventStore } from '../../../core/ports/event-store.ts'

/** Beginnings of organizations below others, each held until a log comes to it. */
export type HeldBeginnings = {
  /** From now on, the organization begins when `letBegin` says so, and the activity that begins it ends when `letEnd` does. */
  readonly hold: (organization: string) => void
  /** Whether somebody is about to begin it, or to end the activity. */
  readonly isUnderWay: (organization: string) => boolean
  readonly letBegin: (organization: string) => void
  readonly letEnd: (organization: string) => void
  readonly letAll: () => void
  /** The store as an engine has it: whoever begins an organization reads its log before, and its second line behind that. */
  readonly readLogOf: (store: EventStore) => EventStore['readLog']
}

type Gate = { waiting: number; readonly opened: Promise<void>; readonly open: () => void }

export const heldBeginnings = (): HeldBeginnings => {
  const gates = new Map<string, { readonly begin: Gate; readonly end: Gate }>()
  const gateOf = (organization: string, after: bigint, limit: number): Gate | undefined => {
    const own = gates.get(organization)
    return after === 0n ? own?.begin : after === 1n && limit === 1 ? own?.end : undefined
  }
  return {
    hold: (organization) => void (gates.has(organization) || gates.set(organization, { begin: gate(), end: gate() })),
    isUnderWay: (organization) => {
      const { begin, end } = gates.get(organization) ?? {}
      return (begin?.waiting ?? 0) + (end?.waiting ?? 0) > 0
    },
    letBegin: (organization) => gates.get(organization)?.begin.open(),
    letEnd: (organization) => gates.get(organization)?.end.open(),
    letAll: () => {
      for (const { begin, end } of gates.values()) for (const { open } of [begin, end]) open()
    },
    readLogOf: (store) => (organization, after, limit, options) => async () => {
      const own = gateOf(organization, after, limit)
      if (own !== undefined) {
        own.waiting += 1
        await own.opened
        own.waiting -= 1
      }
      return store.readLog(organization, after, limit, options)()
    },
  }
}

const gate = (): Gate => {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { waiting: 0, opened, open }
}
