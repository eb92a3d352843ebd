import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

export type Made = {
  /** The folder in which everything was made, on the same disk as its place. */
  readonly made: string
  readonly place: string
  /** The files that import others and are loaded first: they come when the others are there. */
  readonly entries: readonly string[]
  /** The file that says that all is there, and when its making began. */
  readonly last: { readonly path: string; readonly text: string; readonly begun: Date }
  /** Whether nothing of before may be left. */
  readonly anew: boolean
}

/**
 * Moves what was made into its place, file by file, so that none is missing at any moment. A program that runs from there may still load
 * files of before, whose names have hashes: they stay until the next time.
 */
export const putInPlace = ({ made, place, entries, last, anew }: Made): void => {
  const before = existsSync(last.path) ? statSync(last.path).mtimeMs : Number.POSITIVE_INFINITY
  const files = filesIn(made).toSorted((a, b) => Number(entries.includes(a)) - Number(entries.includes(b)))
  for (const file of files) {
    mkdirSync(dirname(join(place, file)), { recursive: true })
    renameSync(join(made, file), join(place, file))
  }
  const known = new Set(files)
  for (const file of filesIn(place)) {
    const path = join(place, file)
    if (known.has(file) || path === join(last.path)) continue
    const writtenAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 // another build may just have removed it
    if (anew || writtenAt < before) rmSync(path, { force: true })
  }
  const next = join(made, 'last')
  writeFileSync(next, last.text)
  utimesSync(next, last.begun, last.begun)
  renameSync(next, last.path)
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
