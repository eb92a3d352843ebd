import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { compile } from '../../compiler.ts'

export const WRONG = 'test/package/host-types/wrong'

/** The flags of a strict host. */
export const HOST_FLAGS = [
  ...['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--skipLibCheck'],
  ...['--module', 'nodenext', '--target', 'es2023', '--types', 'node'],
]

/** Compiles files of this project as files of a host that has the package, by their paths. Answers with what the compiler says. */
export const compileAsHost = (paths: readonly string[]): string => {
  const host = mkdtempSync(join(tmpdir(), 'countersign-types-'))
  try {
    mkdirSync(join(host, 'node_modules'))
    for (const name of readdirSync('node_modules').filter((name) => !name.startsWith('.')))
      symlinkSync(resolve('node_modules', name), join(host, 'node_modules', name))
    symlinkSync(resolve('.'), join(host, 'node_modules/countersign'))
    writeFileSync(join(host, 'package.json'), '{ "type": "module" }')
    const names = paths.map((path) => path.slice(path.lastIndexOf('/') + 1))
    paths.forEach((path, index) => copyFileSync(path, join(host, names[index] ?? '')))
    return compile(host, [...HOST_FLAGS, ...names])
  } finally {
    rmSync(host, { recursive: true, force: true })
  }
}

/** The wrong programs, by name, with what the compiler says about each: nothing if it does not see what is wrong. */
export const wrongPrograms = (): ReadonlyMap<string, string> => {
  const files = readdirSync(WRONG)
    .filter((name) => name.endsWith('.ts'))
    .toSorted()
  const said = compileAsHost(files.map((name) => join(WRONG, name)))
  const byName = new Map(files.map((name) => [name.slice(0, -'.ts'.length), '']))
  let name = ''
  for (const line of said.split('\n').filter((line) => line !== '')) {
    const [, file, rest] = /^([\w-]+)\.ts(\(.*)$/.exec(line) ?? []
    if (file !== undefined) name = file
    byName.set(name, `${byName.get(name) ?? ''}${rest ?? line}\n`)
  }
  return byName
}
