import { resolve } from 'node:path'
import type { BuildOptions } from 'esbuild'

const MISSING = resolve(import.meta.dirname, '../../adapters/console/page/audit/missing-package.ts')

/** How the worker of the console's audit is bundled. An import of Node ends the build. */
export const auditWorkerBundle = {
  bundle: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  minify: true,
  legalComments: 'none',
  alias: { 'viem/tempo': MISSING, '@solana/kit': MISSING },
} as const satisfies BuildOptions
