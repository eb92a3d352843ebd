/**
 * Points at which a process can be made to die, so that tests see what every kind of crash leaves behind.
 * `COUNTERSIGN_CRASH_AT=within-group:7` kills it with SIGKILL the seventh time that it comes to `within-group`; without
 * the variable a point does nothing.
 */
const [at = '', times = '1'] = (process.env['COUNTERSIGN_CRASH_AT'] ?? '').split(':')
let passes = 0

/** The points of this adapter are `before-append`, `within-group`, `after-append`, `within-move` and `within-snapshot`. */
export const crashPoint = (name: string): void => {
  if (name === at && ++passes === Number(times)) process.kill(process.pid, 'SIGKILL')
}
