import { open, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { makeFolder, removeFolders } from '../files/folders.ts'
import { say } from './print.ts'
import { shellWord } from './shell.ts'
import { systemCode, systemReason, unusable } from './stop.ts'

/** Writes a small project into a folder that is empty or not there: all of `examples/new-project/`, and what npm and git want to know. */
export const newProject = async (folder: string): Promise<number> => {
  const name = nameOf(folder)
  await mustBeEmpty(folder)
  await writeProject(folder, name)
  say(
    `The project is in ${folder}, and README.md says what it can do. Install it, test it, and start its server:`,
    `  cd ${shellWord(folder)} && npm install && npm test && npm start`,
  )
  return 0
}

/** The name of the package. */
const nameOf = (folder: string): string => {
  const name = basename(resolve(folder))
  if (!/^[a-z0-9][a-z0-9._-]{0,213}$/.test(name) || RESERVED.includes(name))
    throw unusable(
      `${folder}: the folder names a package, so its name has to be of small letters, digits, - . and _, ` +
        `to begin with a letter or digit, and to be none of ${RESERVED.join(', ')}`,
    )
  return name
}

/** A package cannot depend on one with its own name; npm refuses the others. */
const RESERVED = ['countersign', 'node_modules', 'favicon.ico']

const mustBeEmpty = async (folder: string): Promise<void> => {
  try {
    if ((await readdir(folder)).length > 0) throw unusable(`${folder} is not empty: name a new folder`)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return
    throw systemCode(error) === undefined ? error : cannotWrite(folder, error)
  }
}

/** Writes all files or none, and never over one that is there. */
const writeProject = async (folder: string, name: string): Promise<void> => {
  const written: string[] = []
  let folders: readonly string[] = []
  try {
    folders = await makeFolder(folder)
    for (const [file, text] of await filesOf(folder, name)) {
      const path = join(folder, file)
      const opened = await open(path, 'wx')
      written.push(path)
      try {
        await opened.writeFile(text)
      } finally {
        await opened.close()
      }
    }
  } catch (error) {
    for (const path of written) await rm(path, { force: true })
    await removeFolders(folders)
    throw systemCode(error) === undefined ? error : cannotWrite(folder, error)
  }
}

const filesOf = async (folder: string, name: string): Promise<readonly (readonly [file: string, text: string])[]> => {
  const root = dirname(createRequire(import.meta.url).resolve('countersign/package.json'))
  const copied = join(root, 'examples/new-project')
  const texts = (await readdir(copied)).map(async (file) => [file, await readFile(join(copied, file), 'utf8')] as const)
  const manifest = {
    name,
    private: true,
    type: 'module',
    scripts: { start: 'countersign serve --init --resources transfers.js', test: 'node --test' },
    dependencies: { countersign: `file:${relative(await realpath(folder), root)}` },
  }
  return [
    ...(await Promise.all(texts)),
    ['.gitignore', 'data/\nnode_modules/\n'],
    ['package.json', `${JSON.stringify(manifest, undefined, 2)}\n`],
  ]
}

const cannotWrite = (folder: string, error: unknown): Error =>
  unusable(`cannot write ${folder}: ${systemReason(error)}`)
