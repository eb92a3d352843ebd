import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'

/**
 * Starts the thread of the keyring. In the compiled package, it is a file beside this one. With tsx on Node 20, a worker with a TypeScript
 * entry does not start, so a line of JavaScript registers tsx first.
 */
export const startKeyWorker = (): Worker => {
  // It needs no variable of the environment, and one of them may be the keystore. Workers do not get the flags of the process either.
  if (!import.meta.url.endsWith('.ts'))
    return new Worker(new URL('./key-worker.js', import.meta.url), { env: {}, execArgv: [] })
  const tsx = createRequire(import.meta.url).resolve('tsx/cjs/api')
  const entry = fileURLToPath(new URL('./key-worker.ts', import.meta.url))
  const code = `require(${JSON.stringify(tsx)}).register(); require(${JSON.stringify(entry)})`
  return new Worker(code, { eval: true })
}
