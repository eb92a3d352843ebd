import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The command line, as the build bundles it. */
export const BIN = 'dist/bin/countersign.js'

/** Is written last, with the time at which the build began: what was interrupted is built again, and so is what changed meanwhile. */
export const LAST = 'dist/bin/licenses.txt'

const SOURCES = [
  'core',
  'adapters',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'test/package/build.ts',
  'test/package/bundle-console.ts',
]

/** Whether `dist/` was built from these sources. */
export const isBuilt = (root: string): boolean => {
  const last = join(root, LAST)
  return existsSync(last) && changedAt(last) > Math.max(...SOURCES.map((source) => newest(join(root, source))))
}

const changedAt = (path: string): number => statSync(path).mtimeMs

/** A folder changes when a file is added or removed. */
const newest = (path: string): number =>
  Math.max(
    changedAt(path),
    ...(statSync(path).isDirectory() ? readdirSync(path).map((entry) => newest(join(path, entry))) : []),
  )
