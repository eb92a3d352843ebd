import { E } from '../../core/prelude.ts'
import { administratorStatements, examineStore } from './doctor/examine-store.ts'
import type { OnChecked } from './doctor/run-trials.ts'
import { checkClock, checkCredentials, checkNode, checkPort, checkSpace } from './doctor-checks.ts'
import { isDatabase, isVolatile, type BesideFlags } from './open-store.ts'
import { clearDrawn, print, printLines, printStyled } from './print.ts'
import { isEventStoreDb, shownStore } from './shown-store.ts'
import { stopOf, unusable } from './stop.ts'
import { dim, styled, type Line, type Style } from './style.ts'

export type DoctorOptions = BesideFlags & {
  readonly store: string
  readonly credentials: string
  readonly host: string
  readonly port: number
  /** Whether to try the promises of the store in a scratch one, and to go through the log. */
  readonly full?: boolean
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
 * Checks the settings of this machine and of the store, and if it is told to, tries the promises of the store in a scratch one that it removes.
 * It changes nothing in the store itself, unless it is told to repair it. Each check is printed when it is done.
 */
export const doctor = async (options: DoctorOptions): Promise<number> => {
  const { store: url, full = false, repair = false, json = false, readModels, adoptReadModels } = options
  if (isVolatile(url))
    throw unusable('a store in memory is gone with its process: examine sqlite:PATH or postgres://HOST/DATABASE')
  if (options.ddl === true) return printStatements(url)
  if (repair && !isEventStoreDb(url)) {
    printLines([`${shownStore(url)} has nothing that could need a repair: what belongs together is written together`])
    return 0
  }
  const checks: Checked[] = []
  const onChecked = (checked: Checked): void => {
    checks.push(checked)
    if (json) return
    clearDrawn() // the bar of the trials
    printStyled(linesOf(checked, checkWidth(url)))
  }
  onChecked(checkNode(process.versions.node))
  const store = await examineStore(url, { full, repair, readModels, adoptReadModels }) // first: other checks open it, and SQLite makes files beside it then
  store.checks.forEach(onChecked)
  await checkMachine(options, onChecked)
  await store.goOn(onChecked)
  const isWell = checks.every(({ state }) => state !== 'wrong')
  if (json) print({ isWell, checks, ...(store.sql === undefined ? {} : { sql: store.sql }) })
  else {
    if (!full) printStyled([[dim(leftOut(url, repair))]])
    if (store.sql !== undefined) printLines(['', ...store.sql.split('\n')])
  }
  return isWell ? 0 : 1
}

/** A repair goes through the log in any case. */
const leftOut = (url: string, repair: boolean): string => {
  if (!isEventStoreDb(url)) return 'left out trials of what the store promises, in a scratch one beside it: give --full'
  return `left out trials of the server${repair ? '' : ', and what goes through the whole log'}: give --full`
}

const checkMachine = async (options: DoctorOptions, onChecked: OnChecked): Promise<void> => {
  const { store: url, byDefault = [] } = options
  const softly = (name: 'credentials' | 'port', found: Checked): Checked =>
    byDefault.includes(name) && found.state === 'wrong' ? { ...found, state: 'warning' } : found
  onChecked(softly('credentials', await checkCredentials(options.credentials)))
  onChecked(await checkClock(url, options))
  onChecked(await checkSpace(url, options))
  onChecked(softly('port', await checkPort(options)))
}

/** As wide as the longest name of a check of such a store, and two spaces. */
const checkWidth = (url: string): number => {
  if (isDatabase(url)) return 'ignore_checksum_failure'.length + 2
  return (isEventStoreDb(url) ? 'exact places'.length : 'credentials'.length) + 2
}

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
