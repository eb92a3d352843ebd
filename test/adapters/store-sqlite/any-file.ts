import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import Database from 'libsql'

export const folder = {
  make: (): Promise<string> => mkdtemp(join(tmpdir(), 'countersign-sqlite-')),
  remove: (directory: string): Promise<void> => rm(directory, { recursive: true, force: true }),
}

/** A database with nothing in it: what the first version starts from. */
export const emptyDatabase = (path: string): void => {
  const db = new Database(path)
  db.exec('PRAGMA journal_mode = WAL; VACUUM')
  db.close()
}

export type KilledWriterOptions = {
  /** SIGKILL from outside, at this line that it prints; others may have come with it. */
  readonly atLine?: number
  /** SIGKILL from inside, at a crash point. */
  readonly crashAt?: string
}

/** Lets another process append to the store until it is killed. Answers with the ids that it had acknowledged. */
export const killedWriter = async (
  path: string,
  { atLine, crashAt }: KilledWriterOptions,
): Promise<readonly string[]> => {
  const writer = childWriter(path, crashAt === undefined ? {} : { COUNTERSIGN_CRASH_AT: crashAt })
  const acknowledged: string[] = []
  const lines = createInterface(writer.stdout)
  lines.on('line', (line) => {
    if (acknowledged.push(line) === atLine) writer.kill('SIGKILL')
  })
  await Promise.all([once(writer, 'exit'), once(lines, 'close')])
  return acknowledged
}

/** A process of its own that appends to the store without end. Required rather than imported, it starts in half the time. */
export const childWriter = (path: string, env: Readonly<Record<string, string>> = {}) => {
  const file = fileURLToPath(new URL('./child-writer.ts', import.meta.url))
  return spawn(process.execPath, ['--require', 'tsx/cjs', '--eval', `require(${JSON.stringify(file)})`, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
}
