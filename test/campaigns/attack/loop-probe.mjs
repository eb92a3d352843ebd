// Loaded into the server with `--import`: tells on file descriptor 3 what the longest time was in which the event loop did one
// thing, a line of JSON at a time. It tells processor time, too: what other programs do on the machine is no fault of the server.
import { readFileSync, writeSync } from 'node:fs'

const TICK_MS = 2
const TELL_EVERY_MS = 100

/** Nanoseconds that this thread has been on a processor. */
const onProcessor = () => {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ', 1)[0])
  } catch {
    return Number.NaN
  }
}

let [wallAt, cpuAt, toldAt] = [performance.now(), onProcessor(), performance.now()]
let [wallMs, cpuMs] = [0, 0]

setInterval(() => {
  const [wall, cpu] = [performance.now(), onProcessor()]
  wallMs = Math.max(wallMs, wall - wallAt - TICK_MS)
  cpuMs = Math.max(cpuMs, (cpu - cpuAt) / 1e6)
  ;[wallAt, cpuAt] = [wall, cpu]
  if (wall - toldAt < TELL_EVERY_MS) return
  try {
    writeSync(3, `${JSON.stringify({ wallMs, cpuMs })}\n`)
  } catch {
    // Nobody listens any more.
  }
  ;[wallMs, cpuMs, toldAt] = [0, 0, wall]
}, TICK_MS).unref()
