/**
 * Points at which tests can kill a process, to see what each kind of crash leaves behind. `COUNTERSIGN_CRASH_AT=within-group:7` kills it
 * with SIGKILL when it comes to `within-group` for the seventh time; without the variable a point does nothing.
 */
const [at = '', times = '1'] = (process.env['COUNTERSIGN_CRASH_AT'] ?? '').split(':')
let passes = 0

/**
 * The points of this adapter are `before-append`, `within-group`, `after-append`, `within-move`, `within-snapshot`, `within-erasure`,
 * `within-drop`, `after-erasure` and `log-emptied`.
 */
export const crashPoint = (name: string): void => {
  if (name === at && ++passes === Number(times)) process.kill(process.pid, 'SIGKILL')
}
