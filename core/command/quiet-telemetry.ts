import type { Telemetry } from '../ports/telemetry.ts'

/**
 * Telemetry that cannot hurt: whatever that of the host throws or gives, the work is done once, and what the work gave is what
 * counts. Otherwise an exporter with a bug could stop the writer of the log for ever.
 */
export const quietTelemetry = (telemetry: Telemetry): Telemetry => ({
  span: async (name, attributes, work, outcome) => {
    let begun: ReturnType<typeof work> | undefined
    const once = () => (begun ??= work())
    try {
      await telemetry.span(name, attributes, once, outcome)
    } catch {
      // It was the work, whose outcome follows, or the telemetry, which is the host's affair.
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

/** Does the work, and gives what gives its outcome again: what it gave, or what it threw. */
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
