/**
 * Points at which tests can stop a process, to see what each kind of crash leaves behind. `COUNTERSIGN_CRASH_AT=within-group:7` kills it
 * with SIGKILL when it comes to `within-group` for the seventh time; `within-group:7:SIGSTOP` freezes it there. Without the variable a
 * point is an empty function.
 */
const [at = '', times = '1', signal = 'SIGKILL'] = (process.env['COUNTERSIGN_CRASH_AT'] ?? '').split(':')
let passes = 0

const stopHere = (name: string): void => {
  if (name === at && ++passes === Number(times)) process.kill(process.pid, signal === 'SIGSTOP' ? signal : 'SIGKILL')
}

/** The pages of the stores name their points; those of `init` begin with that word. */
export const crashPoint: (name: string) => void = at === '' ? () => undefined : stopHere

/** Whether the process is to stop at one of these points, so that a shorter way that leaves them out must not be taken. */
export const stopsIn = (...names: readonly string[]): boolean => names.includes(at)
