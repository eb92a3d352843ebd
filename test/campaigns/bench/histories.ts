import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { progressBar } from '../../../adapters/cli/progress.ts'
import { inChild } from './child.ts'
import { activitiesOf, type Size } from './disk.ts'
import { rate, type Progress } from './figures.ts'
import type { MadeHistory } from './history-program.ts'
import type { Seed } from './seed.ts'

/** A store that was made, closed and caught up. Whoever writes to it works on a copy, unless it is very large. */
export type Made = MadeHistory & { readonly path: string }

/**
 * Histories, each made once: sections of the bench that need the same one share it. In a folder that is kept, the next run
 * finds those of the run before.
 */
export type Histories = {
  readonly of: (size: Size) => Promise<Made>
  /** The history as `countersign export` writes it. */
  readonly exported: (size: Size) => Promise<string>
  /** Whether the history is there already. */
  readonly has: (size: Size) => boolean
  /** Nobody needs the history any more: it is removed, unless the folder is kept. */
  readonly forget: (size: Size) => void
  /** A folder for copies and the like. */
  readonly folder: string
  /** Removes the folder, if it is not to be kept. */
  readonly remove: () => void
}

export const histories = (kept: string | undefined, progress: Progress): Histories => {
  if (kept !== undefined) mkdirSync(kept, { recursive: true })
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  const nameOf = ({ activities, organizations }: Size): string => join(folder, `${activities}-${organizations}`)

  const factsOf = (size: Size): string => `${nameOf(size)}.made.json`

  const of = async (size: Size): Promise<Made> => {
    const path = `${nameOf(size)}.db`
    // The facts are written last: without them, the making was broken off.
    if (!existsSync(factsOf(size))) writeFileSync(factsOf(size), JSON.stringify(await made(path, size, progress)))
    return { path, ...(JSON.parse(readFileSync(factsOf(size), 'utf8')) as MadeHistory) } // written above
  }

  return {
    of,
    exported: async (size) => {
      const file = `${nameOf(size)}.ndjson`
      if (existsSync(file)) return file
      const { path } = await of(size)
      await shown(`exporting ${rate(size.activities)} activities`, 2 * activitiesOf(size), progress, (passed) =>
        inChild(new URL('./log-program.ts', import.meta.url), (child) =>
          child.ask('exportTo', { path, file: `${file}.part` }, passed),
        ),
      )
      renameSync(`${file}.part`, file)
      return file
    },
    has: (size) => existsSync(factsOf(size)),
    forget: (size) => {
      if (kept === undefined) removeFiles(nameOf(size))
    },
    folder,
    remove: () => {
      if (kept === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

const made = (path: string, size: Size, progress: Progress): Promise<MadeHistory> => {
  const what = `${rate(size.activities)} activities, ${rate(size.organizations)} organizations`
  removeFiles(path.replace(/\.db$/, ''))
  return inChild(new URL('./history-program.ts', import.meta.url), async (child) => {
    const seed = await shown(`making ${what}`, activitiesOf(size), progress, (passed) =>
      child.ask<Seed>('make', { path, ...size }, passed),
    )
    progress(`starting on ${what} for the first time`)
    return child.ask<MadeHistory>('start', { path, seed })
  })
}

const removeFiles = (name: string): void => {
  for (const file of ['.made.json', '.db', '.db-wal', '.db-shm', '.db.lock', '.ndjson', '.ndjson.part'])
    rmSync(`${name}${file}`, { force: true })
}

/**
 * Does something that takes long, with a bar on a terminal and a line for each tenth elsewhere.
 *
 * @param total  the whole of it, in whatever the work counts
 */
export const shown = async <A>(
  what: string,
  total: number,
  progress: Progress,
  work: (passed: (done: number) => void) => Promise<A>,
): Promise<A> => {
  progress(what)
  const bar = await progressBar(BigInt(total), MUCH)
  let tenths = 0
  try {
    return await work((done) => {
      bar.passed(BigInt(Math.round(done)))
      const now = Math.floor((done / total) * 10)
      if (process.stderr.isTTY || BigInt(total) < MUCH || now <= tenths) return
      tenths = now
      progress(`${what}: ${tenths * 10} %`)
    })
  } finally {
    bar.end()
  }
}

const MUCH = 20_000n
