import { checkClock, checkCredentials, checkNode, checkPort, checkSpace, checkStore } from './doctor-checks.ts'
import { print, printStyled } from './print.ts'
import { styled, type Line, type Style } from './style.ts'

export type DoctorOptions = {
  readonly store: string
  readonly credentials: string
  readonly host: string
  readonly port: number
  readonly json?: boolean
}

/** The result of one check. */
export type Checked = {
  readonly check: string
  readonly state: 'ok' | 'warning' | 'wrong'
  readonly found: string
  /** What to do. */
  readonly advice?: string
}

/** Checks the settings of this machine, and says what to do where something is wrong. It changes nothing. */
export const doctor = async (options: DoctorOptions): Promise<number> => {
  const checks = [
    checkNode(process.versions.node),
    await checkStore(options.store),
    await checkCredentials(options.credentials),
    await checkClock(options.store),
    await checkSpace(options.store),
    await checkPort(options),
  ]
  const isWell = checks.every(({ state }) => state !== 'wrong')
  if (options.json === true) print({ isWell, checks })
  else printStyled(checks.flatMap(linesOf))
  return isWell ? 0 : 1
}

const linesOf = ({ check, state, found, advice }: Checked): readonly Line[] => [
  [styled(STYLES[state])(state.padEnd(9)), check.padEnd(13), found],
  ...(advice === undefined ? [] : [[' '.repeat(22), advice]]),
]

const STYLES: Readonly<Record<Checked['state'], Style>> = { ok: 'green', warning: 'yellow', wrong: 'red' }
