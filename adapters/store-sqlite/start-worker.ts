import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'

/**
 * Starts a file of this folder as a worker. In the compiled package, it is a file beside this one. With tsx on Node 20, a worker with a
 * TypeScript entry does not start, so a line of JavaScript registers tsx first.
 */
export const startWorker = (name: 'writer' | 'reader', workerData: object): Worker => {
  // Workers do not get the flags of the process: a loader would cost them time, and with `--input-type` they would not start.
  if (!import.meta.url.endsWith('.ts'))
    return new Worker(new URL(`./${name}.js`, import.meta.url), { workerData, execArgv: [] })
  const tsx = createRequire(import.meta.url).resolve('tsx/cjs/api')
  const entry = fileURLToPath(new URL(`./${name}.ts`, import.meta.url))
  const code = `require(${JSON.stringify(tsx)}).register(); require(${JSON.stringify(entry)})`
  return new Worker(code, { eval: true, workerData })
}
