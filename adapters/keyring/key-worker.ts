/*
 * The thread that computes with keys: signing and deriving take milliseconds, which the event loop does not have. Secrets are open here alone.
 */
import { parentPort } from 'node:worker_threads'
import { useKey } from './key-use.ts'
import type { KeyAnswered, KeyRequested } from './key-thread.ts'
import { openedKeys } from './opened-keys.ts'

const port = parentPort
if (port === null) throw new Error('key-worker.ts runs as a worker of the keyring')

const opened = openedKeys({ max: 100, forMs: 60_000, now: () => performance.now() })
const sweeping = setInterval(opened.sweep, 10_000).unref()

const answer = async (message: KeyRequested): Promise<void> => {
  if (message._tag === 'close') {
    opened.clear()
    clearInterval(sweeping)
    port.close()
    return
  }
  const answered: KeyAnswered = { ticket: message.ticket, answer: await useKey(opened, message.task) }
  port.postMessage(answered)
}

// One after the other, so that what came before it closes is answered.
let answering = Promise.resolve()
port.on('message', (message: KeyRequested) => {
  answering = answering.then(() => answer(message))
})
