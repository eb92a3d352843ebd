import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Worker, type WorkerOptions as ThreadOptions } from 'node:worker_threads'
import type { WorkerOptions } from './worker-messages.ts'

/**
 * Starts `worker.ts` as a thread. In the compiled package, it is a file beside this one. With tsx on Node 20, a worker with a TypeScript
 * entry does not start, so a line of JavaScript registers tsx first.
 */
export const startWorker = (workerData: WorkerOptions): Worker => {
  // The client writes what it is given, passwords too, if DEBUG asks it to; nothing that it prints may come out.
  const env = { ...process.env, DEBUG: '' }
  const worker = started({ workerData, env, stdout: true, stderr: true })
  worker.stdout.resume()
  worker.stderr.resume()
  return worker
}

const started = (options: ThreadOptions): Worker => {
  if (!import.meta.url.endsWith('.ts'))
    return new Worker(new URL('./worker.js', import.meta.url), { ...options, execArgv: [] })
  const tsx = createRequire(import.meta.url).resolve('tsx/cjs/api')
  const entry = fileURLToPath(new URL('./worker.ts', import.meta.url))
  const code = `require(${JSON.stringify(tsx)}).register(); require(${JSON.stringify(entry)})`
  return new Worker(code, { ...options, eval: true })
}
