import { boundedMap } from '../collections/bounded-map.ts'
import type { Batons } from '../ports/batons.ts'
import type { Clock } from '../ports/clock.ts'
import type { StoreCapabilities } from '../ports/event-store.ts'
import type { Ids } from '../ports/ids.ts'
import type { Cell } from './cell.ts'
import { relay, type Leave, type Storing } from './relay.ts'

/**
 * Where several processes append to one organization, a decision on what is in memory is refused by the store. So for a while after a refusal,
 * a process first looks for what others appended; if that did not help, the processes take turns. The store checks each commit in any case.
 */
export type Conflicts = {
  /**
   * Decides when it is this process's turn on the organization: at once, unless others write to it, too.
   *
   * @param outside  runs what may take as long as the turns of other processes
   */
  readonly inTurn: <A>(organizationId: string, decide: () => Promise<A>, outside?: Outside) => Promise<A>
  /**
   * To be awaited after the store refused a commit of the cell, before the command decides anew.
   *
   * @param conflicts  how many commits of one command were refused, this one included
   */
  readonly afterConflict: (cell: Cell, conflicts: number) => Promise<void>
}

type Outside = <A>(wait: () => Promise<A>) => Promise<A>

type Ports = {
  readonly clock: Pick<Clock, 'now' | 'after'>
  readonly ids: Pick<Ids, 'bytes'>
  readonly capabilities: Pick<StoreCapabilities, 'soleWriter'>
  readonly batons: Batons | undefined
  /** The organization with what others have appended; the promise says whether they have appended anything. */
  readonly catchUp: (organizationId: string) => Promise<boolean>
  /** The organization in memory; `undefined` if it is not there. */
  readonly cellOf: (organizationId: string) => Storing | undefined
}

/** What is known of an organization into which others write, too. */
type Shared = { readonly takesTurns: boolean; readonly untilMs: number }

const SHARED_MAX = 10_000
/** For how long a process looks first, or takes turns. Each refusal, and each event of others, makes this time begin anew. */
const LOOKS_MS = 5_000
const TURNS_MS = 10_000

export const conflicts = (ports: Ports): Conflicts => {
  const { clock, capabilities, catchUp } = ports
  const shared = boundedMap<string, Shared>(SHARED_MAX)
  /** Cells of which a commit was refused: all that was pending in one was refused with it, and counts once. */
  const refused = new WeakSet<Cell>()

  const known = (organizationId: string): Shared | undefined => {
    const found = shared.get(organizationId)
    return found !== undefined && found.untilMs > clock.now() ? found : undefined
  }

  const note = (organizationId: string, takesTurns: boolean): void =>
    shared.set(organizationId, { takesTurns, untilMs: clock.now() + (takesTurns ? TURNS_MS : LOOKS_MS) })

  const look = async (organizationId: string): Promise<void> => {
    if (!(await catchUp(organizationId))) return
    const found = known(organizationId)
    if (found !== undefined) note(organizationId, found.takesTurns)
  }

  const turns = ports.batons && relay({ ...ports, batons: ports.batons, catchUp: look })

  const turnOf = (organizationId: string): Promise<Leave> | undefined => {
    const found = capabilities.soleWriter ? undefined : known(organizationId)
    if (found === undefined) return undefined
    return found.takesTurns && turns !== undefined
      ? turns.enter(organizationId)
      : look(organizationId).then(() => leave)
  }

  return {
    inTurn: async (organizationId, decide, outside = (wait) => wait()) => {
      const turn = turnOf(organizationId)
      if (turn === undefined) return decide()
      const leave = await outside(() => turn)
      try {
        return await decide()
      } finally {
        leave()
      }
    },
    afterConflict: (cell, conflicts) => {
      if (capabilities.soleWriter) return Promise.resolve()
      if (!refused.has(cell)) note(cell.organizationId, known(cell.organizationId) !== undefined)
      refused.add(cell)
      return pause(ports, conflicts)
    },
  }
}

const leave = (): void => undefined

const FIRST_MS = 8
const LAST_MS = 128

/**
 * A short random time: processes that overtake each other again and again would otherwise decide anew at the same moment, too. It grows with
 * each refusal. After the first one nobody waits, because mostly it is the only one.
 */
const pause = ({ clock, ids }: Pick<Ports, 'clock' | 'ids'>, conflicts: number): Promise<void> => {
  if (conflicts < 2) return Promise.resolve()
  const [random = 0] = ids.bytes(1)
  const boundMs = Math.min(FIRST_MS * 2 ** (conflicts - 2), LAST_MS)
  return new Promise((resolve) => void clock.after((random / 256) * boundMs, resolve, true))
}
