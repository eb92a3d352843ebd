import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'

/**
 * Starts a file of this folder as a worker. Compiled, it is a file beside this one. Under tsx on Node 20, a worker whose
 * entry is TypeScript does not start: there, a line of JavaScript registers tsx first.
 */
export const startWorker = (name: 'writer' | 'reader', workerData: object): Worker => {
  // The flags of the process are not for its workers: a loader costs them time, and with `--input-type` they would not start.
  if (!import.meta.url.endsWith('.ts'))
    return new Worker(new URL(`./${name}.js`, import.meta.url), { workerData, execArgv: [] })
  const tsx = createRequire(import.meta.url).resolve('tsx/cjs/api')
  const entry = fileURLToPath(new URL(`./${name}.ts`, import.meta.url))
  const code = `require(${JSON.stringify(tsx)}).register(); require(${JSON.stringify(entry)})`
  return new Worker(code, { eval: true, workerData })
}
