import type { EngineOptions, Tuning } from '../../../core/engine.ts'

/** Options of an engine as tests write them: what tunes it stands among the others. */
export type TestOptions = Partial<EngineOptions> & Tuning

const TUNING: Readonly<Record<keyof Tuning, true>> = {
  organizationsMax: true,
  snapshotEvery: true,
  commandsAtOnce: true,
  effectsAtOnce: true,
  effectsAtOncePerOrganization: true,
  leaseMs: true,
  waitForEffectsMs: true,
  waitForEffectsMax: true,
  inspectWithinMs: true,
  inspectionsAtOnce: true,
  closeWithinMs: true,
}

/** The options in the form of an engine. */
export const tuned = (options: TestOptions): Partial<EngineOptions> => {
  const entries = Object.entries(options)
  const [tuning, others] = [true, false].map((isTuning) =>
    Object.fromEntries(entries.filter(([name]) => Object.hasOwn(TUNING, name) === isTuning)),
  )
  return { ...others, tuning: { ...options.tuning, ...tuning } }
}
