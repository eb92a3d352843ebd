import { megabytes, ms, quantile, rate } from '../bench/figures.ts'
import type { OverloadReport } from './overload.ts'

const RECOVERY_AIM_MS = 2000
const SHARE_AIM = 0.9

/** Prints how a server fared under too much load; gives the exit code. */
export const tellOverload = (report: OverloadReport): number => {
  const { bestPerSecond, normalMs, flooded, acceptedPerSecond, quiet, recoveryMs, cpuMs, rssBytes, events } = report
  const sentPerSecond = (flooded.sent / report.dueForMs) * 1000
  const share = acceptedPerSecond / bestPerSecond
  const microseconds = (milliseconds: number): string => `${(milliseconds * 1000).toFixed(0)} µs`
  const isReached = (is: boolean): string => (is ? 'reached' : 'not reached')
  console.log(`best throughput      ${rate(bestPerSecond)} a second, p99 ${ms(normalMs)} ms: this is normal`)
  console.log(
    `offered              ${rate(sentPerSecond)} a second, ${(sentPerSecond / bestPerSecond).toFixed(1)} times the best; ` +
      `${flooded.missed} of ${flooded.sent + flooded.missed} were due while all connections were busy, and were not sent`,
  )
  console.log(
    `accepted             ${rate(acceptedPerSecond)} a second, ${share.toFixed(2)} of the best ` +
      `(aim ${SHARE_AIM}: ${isReached(share >= SHARE_AIM)}), p50 ${ms(report.p50Ms)} ms, p99 ${ms(report.p99Ms)} ms`,
  )
  const [p50, p99] = [quantile(flooded.refusals, 0.5), quantile(flooded.refusals, 0.99)]
  console.log(
    `refused              ${flooded.refusals.length}, p50 ${ms(p50)} ms, p99 ${ms(p99)} ms; ` +
      `${flooded.withoutRetryAfter} without Retry-After; ${flooded.acceptedLater} requests were accepted when they came again`,
  )
  console.log(`a quiet organization ${quiet.answered} answered, ${quiet.refused} not, p99 ${ms(quiet.p99Ms)} ms`)
  console.log(
    `recovery             ${ms(recoveryMs)} ms (aim ${RECOVERY_AIM_MS} ms: ${isReached(recoveryMs <= RECOVERY_AIM_MS)})`,
  )
  console.log(
    `processor time       ${microseconds(cpuMs.submit)} for a submit, ${microseconds(cpuMs.refusal)} for a refusal, ` +
      `${microseconds(cpuMs.asking)} for asking once, which is done on the same machine`,
  )
  console.log(`memory               ${megabytes(rssBytes.before)} before, ${megabytes(rssBytes.after)} after`)
  console.log(`events               ${events.found} found, ${events.expected} answered`)
  return verdictOf(report)
}

const verdictOf = ({ statuses, wrong, flooded, events, recoveryMs }: OverloadReport): number => {
  for (const each of wrong.slice(0, 5)) console.log(`WRONG: ${each}`)
  const others = [...statuses].filter(([status]) => status !== 200)
  const faults = [
    ...others.map(([status, count]) => (status === 0 ? `${count} got no answer` : `${count} answers were ${status}`)),
    ...(wrong.length > 0 ? ['some answers were wrong'] : []),
    ...(flooded.withoutRetryAfter > 0 ? ['some refusals do not say when to try again'] : []),
    ...(events.found === events.expected ? [] : ['the store does not hold what was answered']),
    ...(Number.isFinite(recoveryMs) ? [] : ['the server does not recover']),
  ]
  console.log(faults.length === 0 ? '\nsound' : `\nFAILED: ${faults.join('; ')}`)
  return faults.length === 0 ? 0 : 1
}
