import { latch, type Latch } from '../../../../core/collections/latch.ts'
import type { SealedRows } from '../../../../core/ports/sealed-rows.ts'

/** Stops whoever uses rows before a step, until it is let go. */
export type Stop = {
  readonly rows: SealedRows
  /** Begins to count. */
  readonly arm: () => void
  /** Resolves when it has stopped. */
  readonly stopped: Promise<void>
  readonly go: () => void
  /** How many steps were taken. */
  readonly steps: () => number
}

/** Sealed rows that stop before their nth use, from 0, once they are armed: an engine uses some when it starts. */
export const stoppingBefore = (rows: SealedRows, step: number): Stop => {
  const [stopped, going] = [latch(), latch()]
  let [taken, isArmed] = [0, false]
  const pass = async (): Promise<void> => {
    if (!isArmed) return
    taken += 1
    if (taken !== step + 1) return
    stopped.pass()
    await passed(going)
  }
  return {
    rows: {
      ...rows,
      put: (row) => async () => pass().then(rows.put(row)),
      get: (place) => async () => pass().then(rows.get(place)),
      delete: (place) => async () => pass().then(rows.delete(place)),
    },
    arm: () => {
      isArmed = true
    },
    stopped: passed(stopped),
    go: going.pass,
    steps: () => taken,
  }
}

const passed = (one: Latch): Promise<void> =>
  new Promise((resolve) => {
    one.when(resolve)
  })
