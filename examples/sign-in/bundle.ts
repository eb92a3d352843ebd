import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'

/** The client that the page is built with. */
export type Client = {
  /** What is bundled as `@turnkey/core`. */
  readonly name: string
  /** Whether it is of 2.0 or later, which encrypt codes. */
  readonly encrypts: boolean
}

/** The script of the page. */
export const pageScript = async (
  { name, encrypts }: Client = { name: '@turnkey/core', encrypts: true },
): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'page.js')],
    alias: name === '@turnkey/core' ? {} : { '@turnkey/core': name },
    plugins: encrypts ? [] : [plainCodes],
    platform: 'browser',
    bundle: true,
    write: false,
    logLevel: 'error',
  })
  return outputFiles.map(({ text }) => text).join('')
}

const plainCodes: Plugin = {
  name: 'codes in plain',
  setup: (bundling) =>
    bundling.onResolve({ filter: /\/by-code\.js$/ }, ({ resolveDir }) => ({ path: join(resolveDir, 'by-code-1.js') })),
}
