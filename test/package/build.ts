/*
 * Builds `dist/` where it is older than its sources: the library as the compiler makes it, in `dist/bin/` the command line as one bundle,
 * which starts in half the time, and in `dist/console/` the page of the console. `--anew` builds in any case, and leaves nothing of before.
 *
 * A server may run from `dist/`, and another build may be at work: everything is built elsewhere first, and then put in its place.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { isBuilt, LAST } from './built.ts'
import { bundleConsole, CONSOLE_LIST } from './bundle-console.ts'
import { putInPlace } from './put-in-place.ts'

const main = async (): Promise<void> => {
  const anew = process.argv.includes('--anew')
  if (isBuilt('.') && !anew) return
  const begun = new Date()
  const made = mkdtempSync('.dist-') // beside its place: the ways from there to the sources are the same
  try {
    const tsc = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', made]
    execFileSync(process.execPath, tsc, { stdio: 'inherit' })
    const files = [...(await bundle(join(made, 'bin'))), ...(await bundleConsole(join(made, 'console')))]
    const text = licensesOf(files)
    const entries = [...Object.keys(ENTRIES).map((name) => join('bin', `${name}.js`)), join('console', CONSOLE_LIST)]
    putInPlace({ made, place: 'dist', entries, last: { path: LAST, text, begun }, anew })
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}

const ENTRIES = {
  countersign: 'adapters/cli/bin.ts',
  // Each finds these beside itself, as in its own folder.
  reader: 'adapters/store-sqlite/reader.ts',
  writer: 'adapters/store-sqlite/writer.ts',
  worker: 'adapters/store-eventstoredb/worker.ts',
  'key-worker': 'adapters/keyring/key-worker.ts',
  'trial-process': 'adapters/cli/doctor/trial-process.ts',
}

/** @returns the files of which the bundle consists */
const bundle = async (outdir: string): Promise<readonly string[]> => {
  const { metafile } = await build({
    entryPoints: ENTRIES,
    outdir,
    bundle: true,
    splitting: true, // a command loads what it needs
    format: 'esm',
    platform: 'node',
    target: 'node20',
    keepNames: true, // messages name errors by their class
    sourcemap: 'linked',
    sourcesContent: false,
    external: ['libsql', 'pg', '@eventstore/db-client', '@solana/kit', 'viem'], // native, or only where a host has it
    banner: {
      js: `import { createRequire as requireFor } from 'node:module'; const require = requireFor(import.meta.url);`, // for CommonJS in it
    },
    metafile: true,
    logLevel: 'warning',
  })
  return Object.keys(metafile.inputs)
}

/** What the licenses of the packages in the bundles want to be said with every copy. */
const licensesOf = (files: readonly string[]): string => {
  const folders = new Set(files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []))
  const texts = [...folders].toSorted().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as Manifest // each has them
    const notices = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)/i.test(file))
    return [
      `${name} ${version} (${license})`,
      ...notices.map((file) => readFileSync(`${folder}/${file}`, 'utf8').trim()),
    ]
  })
  return `The command line and the console contain these packages.\n\n${texts.map((text) => text.join('\n\n')).join('\n\n---\n\n')}\n`
}

type Manifest = { readonly name: string; readonly version: string; readonly license: string }

await main()
