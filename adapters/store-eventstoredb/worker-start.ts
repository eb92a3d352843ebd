import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { WorkerOptions } from './worker-messages.ts'

/**
 * Starts `worker.ts` as a thread. In the compiled package, it is a file beside this one. With tsx on Node 20, a worker with a TypeScript
 * entry does not start, so a line of JavaScript registers tsx first; but
 * behind the client, whose many files tsx would read for nothing, which takes longer than all else.
 */
export const startWorker = (workerData: WorkerOptions): Worker => {
  // The client writes what it is given, passwords too, if DEBUG asks it to; nothing that it prints may come out. What little it prints
  // without being asked stays in streams that nobody reads: reading them would keep the process alive.
  const env = { ...process.env, DEBUG: '', GRPC_TRACE: '', GRPC_VERBOSITY: 'NONE' }
  const options = { workerData, env, stdout: true, stderr: true }
  if (!import.meta.url.endsWith('.ts'))
    return new Worker(new URL('./worker.js', import.meta.url), { ...options, execArgv: [] })
  const tsx = createRequire(import.meta.url).resolve('tsx/cjs/api')
  const entry = fileURLToPath(new URL('./worker.ts', import.meta.url))
  const client = `require('node:module').createRequire(${JSON.stringify(entry)})('@eventstore/db-client')`
  const code = `${client}; require(${JSON.stringify(tsx)}).register(); require(${JSON.stringify(entry)})`
  return new Worker(code, { ...options, eval: true })
}
