import { E } from '../../core/prelude.ts'
import { administratorStatements, examineStore } from './doctor/examine-store.ts'
import { checkClock, checkCredentials, checkNode, checkPort, checkSpace } from './doctor-checks.ts'
import { isDatabase, isVolatile, type BesideFlags } from './open-store.ts'
import { print, printLines, printStyled } from './print.ts'
import { isEventStoreDb, shownStore } from './shown-store.ts'
import { stopOf, unusable } from './stop.ts'
import { styled, type Line, type Style } from './style.ts'

export type DoctorOptions = BesideFlags & {
  readonly store: string
  readonly credentials: string
  readonly host: string
  readonly port: number
  /** Whether to try nothing in a scratch store. */
  readonly quick?: boolean
  /** Whether to mend what can be mended. */
  readonly repair?: boolean
  /** Whether to print only the statements that an administrator may run. */
  readonly ddl?: boolean
  readonly json?: boolean
  /** The flags that nobody has given. What is found of their defaults is no more than a warning. */
  readonly byDefault?: readonly ('credentials' | 'port')[]
}

/** The result of one check. */
export type Checked = {
  readonly check: string
  /** `wrong` breaks a promise; a `warning` only costs something. */
  readonly state: 'ok' | 'warning' | 'wrong'
  readonly found: string
  /** What to do. */
  readonly advice?: string
}

/**
 * Checks the settings of this machine and of the store, and tries the promises of the store in a scratch one that it removes. It changes
 * nothing in the store itself, unless it is told to repair it.
 */
export const doctor = async (options: DoctorOptions): Promise<number> => {
  const { store: url, quick = false, repair = false, byDefault = [], readModels, adoptReadModels } = options
  if (isVolatile(url))
    throw unusable('a store in memory is gone with its process: examine sqlite:PATH or postgres://HOST/DATABASE')
  if (options.ddl === true) return printStatements(url)
  if (repair && !isEventStoreDb(url)) {
    printLines([`${shownStore(url)} has nothing that could need a repair: what belongs together is written together`])
    return 0
  }
  const softly = (name: 'credentials' | 'port', found: Checked): Checked =>
    byDefault.includes(name) && found.state === 'wrong' ? { ...found, state: 'warning' } : found
  const store = await examineStore(url, { quick, repair, readModels, adoptReadModels }) // first: other checks open it, and SQLite makes files beside it then
  const machine = [
    softly('credentials', await checkCredentials(options.credentials)),
    await checkClock(url, options),
    await checkSpace(url, options),
    softly('port', await checkPort(options)),
  ]
  const [first, ...rest] = store.checks
  const checks = [checkNode(process.versions.node), ...(first === undefined ? [] : [first]), ...machine, ...rest]
  const isWell = checks.every(({ state }) => state !== 'wrong')
  if (options.json === true) print({ isWell, checks, ...(store.sql === undefined ? {} : { sql: store.sql }) })
  else {
    const width = Math.max(CHECK_WIDTH, ...checks.map(({ check }) => check.length + 2))
    printStyled(checks.flatMap((checked) => linesOf(checked, width)))
    if (store.sql !== undefined) printLines(['', ...store.sql.split('\n')])
  }
  return isWell ? 0 : 1
}

const CHECK_WIDTH = 13
const STATE_WIDTH = 9

const printStatements = async (url: string): Promise<number> => {
  if (!isDatabase(url)) throw unusable('only a PostgreSQL store has statements for an administrator')
  const statements = await administratorStatements(url)
  if (E.isLeft(statements)) throw stopOf(statements.left)
  printLines(statements.right.split('\n'))
  return 0
}

const linesOf = ({ check, state, found, advice }: Checked, width: number): readonly Line[] => [
  [styled(STYLES[state])(state.padEnd(STATE_WIDTH)), check.padEnd(width), found],
  ...(advice === undefined ? [] : [[' '.repeat(STATE_WIDTH + width), advice]]),
]

const STYLES: Readonly<Record<Checked['state'], Style>> = { ok: 'green', warning: 'yellow', wrong: 'red' }
