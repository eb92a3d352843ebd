import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { progressBar } from '../../adapters/cli/progress.ts'
import { startChild } from './child.ts'
import { rate, type Progress } from './figures.ts'
import type { Seed } from './seed.ts'

/** So many activities in one organization, beside so many others of which each has only begun. */
export type Size = { readonly activities: number; readonly organizations: number }

/** A store that was made, closed and caught up. Whoever writes to it works on a copy. */
export type Made = { readonly path: string; readonly seed: Seed }

/**
 * Histories, each made once: sections of the bench that need the same one share it. In a folder that is kept, the next run
 * finds those of the run before.
 */
export type Histories = {
  readonly of: (size: Size) => Promise<Made>
  /** The history as `countersign export` writes it. */
  readonly exported: (size: Size) => Promise<string>
  /** A folder for copies and the like. */
  readonly folder: string
  /** Removes the folder, if it is not to be kept. */
  readonly remove: () => void
}

export const histories = (kept: string | undefined, progress: Progress): Histories => {
  if (kept !== undefined) mkdirSync(kept, { recursive: true })
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  const nameOf = ({ activities, organizations }: Size): string => join(folder, `${activities}-${organizations}`)

  const of = async (size: Size): Promise<Made> => {
    const name = nameOf(size)
    const [path, seedFile] = [`${name}.db`, `${name}.json`]
    // The seed is written last: without it, the making was broken off.
    if (!existsSync(seedFile)) writeFileSync(seedFile, JSON.stringify(await made(path, size, progress)))
    return { path, seed: JSON.parse(readFileSync(seedFile, 'utf8')) as Seed } // written above
  }

  return {
    of,
    exported: async (size) => {
      const file = `${nameOf(size)}.ndjson`
      if (existsSync(file)) return file
      const { path } = await of(size)
      progress(`exporting ${rate(size.activities)} activities`)
      await inChild('./log-program.ts', (child) => child.ask('exportTo', { path, file: `${file}.part` }))
      renameSync(`${file}.part`, file)
      return file
    },
    folder,
    remove: () => {
      if (kept === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

const made = async (path: string, { activities, organizations }: Size, progress: Progress): Promise<Seed> => {
  progress(`making ${rate(activities)} activities, ${rate(organizations)} organizations`)
  for (const file of ['.db', '.db-wal', '.db-shm', '.db.lock', '.ndjson'])
    rmSync(path.replace(/\.db$/, file), { force: true })
  const total = activities + organizations
  const bar = await progressBar(BigInt(total), MUCH)
  let tenths = 0
  const passed = (done: number): void => {
    bar.passed(BigInt(done))
    if (process.stderr.isTTY || Math.floor((done / total) * 10) <= tenths) return
    tenths = Math.floor((done / total) * 10)
    progress(`made ${rate(done)}`) // where there is no bar
  }
  try {
    return await inChild('./history-program.ts', (child) =>
      child.ask<Seed>('make', { path, activities, organizations }, passed),
    )
  } finally {
    bar.end()
  }
}

const MUCH = 20_000n

const inChild = async <A>(program: string, use: (child: ReturnType<typeof startChild>) => Promise<A>): Promise<A> => {
  const child = startChild(new URL(program, import.meta.url))
  try {
    return await use(child)
  } finally {
    await child.close()
  }
}
