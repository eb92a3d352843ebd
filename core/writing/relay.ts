import type { Batons } from '../ports/batons.ts'
import type { Clock } from '../ports/clock.ts'
import { E } from '../prelude.ts'
import type { Cell } from './cell.ts'

/** To be called when what was let in has decided. */
export type Leave = () => void

/** Lets commands of an organization in while this process has its baton. */
export type Relay = {
  /** Resolves when a command may decide. Without a baton that is soon, too: then the store may refuse what it commits. */
  readonly enter: (organizationId: string) => Promise<Leave>
}

/** What says whether all of an organization is stored. */
export type Storing = Pick<Cell, 'tip' | 'durableTo'> & { readonly pending: Pick<Cell['pending'], 'size'> }

type Ports = {
  readonly batons: Batons
  readonly clock: Pick<Clock, 'now' | 'after'>
  /** Brings what is in memory of the organization up to the store. */
  readonly catchUp: (organizationId: string) => Promise<unknown>
  /** The organization in memory; `undefined` if it is not there. */
  readonly cellOf: (organizationId: string) => Storing | undefined
}

/** For how long a process that has a baton lets commands in: long enough for several groups. The next process waits as long. */
const TURN_MS = 100
/** For how long it waits for the next command: about as long as callers need for that, who have just been answered. */
const LINGER_MS = 10

/** Those of an organization who wait, and those who decide. */
type Line = { readonly waiting: (() => void)[]; isOpen: boolean; inside: number; entered: number; onEmpty: () => void }

export const relay = ({ batons, clock, catchUp, cellOf }: Ports): Relay => {
  const lines = new Map<string, Line>()

  const letIn = (line: Line): void => {
    for (const go of line.waiting.splice(0)) go()
  }

  const isIdle = (organizationId: string, line: Line): boolean =>
    line.inside === 0 && (cellOf(organizationId)?.pending.size ?? 0) === 0

  /** Resolves when all who were let in have decided, and what they decided has been stored or refused. */
  const done = async (organizationId: string, line: Line): Promise<void> => {
    if (line.inside > 0) await new Promise<void>((resolve) => (line.onEmpty = resolve))
    const cell = cellOf(organizationId)
    await cell?.durableTo(cell.tip.sequence)
  }

  const takeTurn = async (organizationId: string, line: Line): Promise<void> => {
    await catchUp(organizationId)
    const endsAt = clock.now() + TURN_MS
    line.isOpen = true
    letIn(line)
    for (let before = -1; clock.now() < endsAt && (line.entered > before || !isIdle(organizationId, line));) {
      before = line.entered
      await new Promise<void>((resolve) => void clock.after(LINGER_MS, resolve, true))
    }
    line.isOpen = false
    await done(organizationId, line)
  }

  const run = async (organizationId: string, line: Line): Promise<void> => {
    while (line.waiting.length > 0) {
      const held = await batons.hold(organizationId, () => takeTurn(organizationId, line))()
      line.isOpen = false // if it was lost in the middle
      if (E.isLeft(held)) letIn(line)
    }
    lines.delete(organizationId)
  }

  return {
    enter: async (organizationId) => {
      const found = lines.get(organizationId)
      const line = found ?? emptyLine()
      const enter = (): void => {
        line.inside += 1
        line.entered += 1
      }
      if (line.isOpen) enter()
      else {
        const entered = new Promise<void>((resolve) => line.waiting.push(() => resolve(enter())))
        if (found === undefined) {
          lines.set(organizationId, line)
          void run(organizationId, line)
        }
        await entered
      }
      return () => {
        line.inside -= 1
        if (line.inside === 0) line.onEmpty()
      }
    },
  }
}

const emptyLine = (): Line => ({ waiting: [], isOpen: false, inside: 0, entered: 0, onEmpty: () => undefined })
