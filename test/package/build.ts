/*
 * Builds `dist/` where it is older than its sources: the library as the compiler makes it, and in `dist/bin/` the command line as one bundle,
 * which starts in half the time. `--anew` builds in any case.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'
import { isBuilt, LAST } from './built.ts'

const main = async (): Promise<void> => {
  if (isBuilt('.') && !process.argv.includes('--anew')) return
  rmSync('dist', { recursive: true, force: true })
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' })
  writeFileSync(LAST, licensesOf(await bundle()))
}

/** @returns the files of which the bundle consists */
const bundle = async (): Promise<readonly string[]> => {
  const { metafile } = await build({
    entryPoints: {
      countersign: 'adapters/cli/bin.ts',
      // Each finds these beside itself, as in its own folder.
      reader: 'adapters/store-sqlite/reader.ts',
      writer: 'adapters/store-sqlite/writer.ts',
      worker: 'adapters/store-eventstoredb/worker.ts',
      'key-worker': 'adapters/keyring/key-worker.ts',
      'trial-process': 'adapters/cli/doctor/trial-process.ts',
    },
    outdir: 'dist/bin',
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

/** What the licenses of the packages in the bundle want to be said with every copy. */
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
  return `The command line contains these packages.\n\n${texts.map((text) => text.join('\n\n')).join('\n\n---\n\n')}\n`
}

type Manifest = { readonly name: string; readonly version: string; readonly license: string }

await main()
