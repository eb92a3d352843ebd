/** A project of a reader: it has the packed package, and the packages that the pages name. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { modules } from '../../system/docs/modules.ts'

export type Strategy = 'hoisted' | 'linked'

type Manifest = {
  readonly dependencies: { readonly [name: string]: string }
  readonly devDependencies: { readonly [name: string]: string }
}
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest // npm reads it, too

/** The oldest compiler that a host may have. */
export const OLDEST_TYPESCRIPT = '5.4.5'

/** Packs what is built, and answers with the path of the tarball. */
export const packed = (folder: string): string => {
  const name = npm(process.cwd(), 'pack', '--ignore-scripts', '--pack-destination', folder).trim()
  return join(folder, name)
}

/** Installs the package as a reader would; answers with the folder of the project. */
export const installed = (folder: string, tarball: string, strategy: Strategy): string => {
  const host = join(folder, strategy)
  mkdirSync(host)
  writeFileSync(join(host, 'package.json'), '{ "name": "host", "private": true, "type": "module" }')
  const wanted = [...packagesOfPages(), '@types/node'].map((name) => `${name}@${manifest.devDependencies[name] ?? ''}`)
  npm(host, 'install', '--ignore-scripts', `--install-strategy=${strategy}`, tarball, ...wanted)
  return host
}

/** Installs the oldest compiler in a folder of its own; answers with its program. */
export const oldestCompiler = (folder: string): string => {
  const home = join(folder, 'oldest-typescript')
  mkdirSync(home)
  writeFileSync(join(home, 'package.json'), '{ "private": true }')
  npm(home, 'install', '--ignore-scripts', `typescript@${OLDEST_TYPESCRIPT}`)
  return join(home, 'node_modules/typescript/bin/tsc')
}

/** The packages that blocks import by name, besides ours. None of them may be there only because ours brings it. */
const packagesOfPages = (): readonly string[] => {
  const specifiers = modules().flatMap(({ text }) => [...text.matchAll(/^\s*(?:import|\}).* from '([^.'][^']*)'/gm)])
  const names = specifiers.map(([, name = '']) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name)
  const others = new Set(names.filter((name) => name !== 'countersign' && !isBuiltIn(name)))
  const borrowed = [...others].filter((name) => name in manifest.dependencies)
  if (borrowed.length > 0) throw new Error(`pages import what a strict installation does not find: ${borrowed.join()}`)
  return [...others]
}

const isBuiltIn = (name: string): boolean => name.startsWith('node:') || builtinModules.includes(name)

const npm = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('npm', [...args, '--silent', '--prefer-offline'], { cwd, encoding: 'utf8' })
