import { clearDrawn } from './print.ts'
import { Stop } from './stop.ts'

/** What a signal means for a command that writes: `check` stops it at the next step, so that it cleans up behind itself. */
export type Interruption = { readonly check: () => void; readonly end: () => void }

const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

/**
 * Watches for SIGINT, SIGTERM and SIGHUP. After the first, `check` throws. npm passes on a Ctrl-C that the terminal has also sent, so a
 * second signal right after the first changes nothing; a later one ends the process at once.
 */
export const interruption = (now = () => performance.now()): Interruption => {
  let first: { readonly name: keyof typeof SIGNALS; readonly atMs: number } | undefined
  const end = onSignals((name) => {
    if (first === undefined) first = { name, atMs: now() }
    else if (now() - first.atMs > SAME_KEY_MS) leave(name)
  })
  const check = (): void => {
    if (first !== undefined) throw new Stop(SIGNALS[first.name], `stopped by ${first.name}: nothing was kept`)
  }
  return { check, end }
}

const SAME_KEY_MS = 1_000

/** For a command that only reads: a signal ends the process at once, after the line of a progress bar is cleared. */
export const leaveAtSignal = (): (() => void) => onSignals(leave)

/** Lets the signal do what it does without us: unlike `process.exit`, it does not wait for a read that never ends. */
const leave = (name: keyof typeof SIGNALS): void => {
  clearDrawn()
  process.removeAllListeners(name)
  process.kill(process.pid, name)
}

/** @returns removes the listeners */
const onSignals = (callback: (name: keyof typeof SIGNALS) => void): (() => void) => {
  const listeners = (Object.keys(SIGNALS) as (keyof typeof SIGNALS)[]).map((name) => {
    const listener = (): void => callback(name)
    process.on(name, listener)
    return () => process.off(name, listener)
  })
  return () => listeners.forEach((remove) => remove())
}
