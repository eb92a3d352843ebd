import type { Telemetry } from '../ports/telemetry.ts'

/**
 * Protects the engine from the host's telemetry: whatever it throws or returns, the work runs exactly once, and its own outcome is
 * returned. Otherwise a bug of an exporter could stop the writer of the log for ever.
 */
export const quietTelemetry = (telemetry: Telemetry): Telemetry => ({
  span: async (name, attributes, work, outcome) => {
    let begun: ReturnType<typeof work> | undefined
    const once = () => (begun ??= work())
    try {
      await telemetry.span(name, attributes, once, outcome)
    } catch {
      // Either the work threw: `once` gives its outcome below. Or the telemetry threw, which the engine ignores.
    }
    return once()
  },
  spanSync: (name, attributes, work, outcome) => {
    let done: (() => ReturnType<typeof work>) | undefined
    const once = (): ReturnType<typeof work> => (done ??= settled(work))()
    try {
      telemetry.spanSync(name, attributes, once, outcome)
    } catch {
      // As above.
    }
    return once()
  },
  count: (name, by, attributes) => quietly(undefined, () => telemetry.count(name, by, attributes)),
  record: (name, value, attributes) => quietly(undefined, () => telemetry.record(name, value, attributes)),
  observe: (name, attributes, read) => {
    const stop = quietly(undefined, () => telemetry.observe(name, attributes, read))
    return () => quietly(undefined, () => stop?.())
  },
})

/** Runs the work, and returns a function that repeats its outcome: the value or the error. */
const settled = <A>(work: () => A): (() => A) => {
  try {
    const given = work()
    return () => given
  } catch (thrown) {
    return () => {
      throw thrown
    }
  }
}

const quietly = <A>(otherwise: A, call: () => A): A => {
  try {
    return call()
  } catch {
    return otherwise
  }
}
