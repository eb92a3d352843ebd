/*
 * Bundles the page of the console. Each file has a hash of its bytes in its name, so that it may be cached for ever, and files of two builds
 * stand beside each other; `files.json` alone says which are those of the last one.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { build, type BuildOptions } from 'esbuild'

const PAGE = 'adapters/console/page'

const MISSING = resolve(PAGE, 'audit/missing-package.ts')

/** How what runs in the page is bundled. An import of Node ends the build. */
export const FOR_BROWSERS = {
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  legalComments: 'none', // licenses.txt has the licenses whole
  alias: { 'viem/tempo': MISSING, '@solana/kit': MISSING }, // several times as large as all else
} as const satisfies BuildOptions

/** What names all others: it is put in its place when they are there. */
export const CONSOLE_LIST = 'files.json'

/** @returns the files of which the page consists */
export const bundleConsole = async (outdir: string): Promise<readonly string[]> => {
  const worker = await bundle({ 'audit-worker': `${PAGE}/audit/audit-worker.ts` }, outdir)
  const workerName = worker.named('audit-worker')
  const page = await bundle({ main: `${PAGE}/main.ts`, style: `${PAGE}/style.css` }, outdir, workerName)
  const [script, style] = [page.named('main'), page.named('style')]
  const document = documentWith(script, style)
  const hash = createHash('sha256').update(document).digest('hex').slice(0, 8).toUpperCase()
  const name = `index-${hash}.html`
  mkdirSync(outdir, { recursive: true })
  writeFileSync(join(outdir, name), document)
  writeFileSync(join(outdir, CONSOLE_LIST), JSON.stringify({ page: name, files: [script, style, workerName] }))
  return [...worker.inputs, ...page.inputs]
}

type Bundle = {
  readonly inputs: readonly string[]
  /** The name that a file has got. */
  readonly named: (entry: string) => string
}

/** @param worker  the name of the script of the worker, which the page finds beside itself */
const bundle = async (
  entryPoints: { readonly [name: string]: string },
  outdir: string,
  worker = '',
): Promise<Bundle> => {
  const { metafile } = await build({
    entryPoints,
    outdir,
    entryNames: '[name]-[hash]',
    ...FOR_BROWSERS,
    define: { AUDIT_WORKER: JSON.stringify(worker) },
    metafile: true,
    logLevel: 'warning',
  })
  const built = Object.entries(metafile.outputs)
  return {
    inputs: Object.keys(metafile.inputs),
    named: (entry) => {
      const found = built.find(([, { entryPoint }]) => entryPoint === entryPoints[entry])
      if (found === undefined) throw new Error(`the bundle has no ${entry}`)
      return basename(found[0])
    },
  }
}

/** The document with the names that its files have got. They are relative to its own address, which may be behind a base path. */
const documentWith = (script: string, style: string): string => {
  let document = readFileSync(`${PAGE}/index.html`, 'utf8')
  for (const [source, name] of [
    ['main.ts', script],
    ['style.css', style],
  ] as const) {
    if (!document.includes(`"${source}"`)) throw new Error(`${PAGE}/index.html does not name ${source}`)
    document = document.replace(`"${source}"`, `"console/${name}"`)
  }
  return document
}
