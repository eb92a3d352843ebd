/*
 * A server in a process of its own, which its test starts with little memory. Its engine does what the real one does to
 * memory: it parses a body and keeps the value while it waits for a store.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { httpServer } from '../../../adapters/http/index.ts'
import { parseStrict } from '../../../core/json/strict-json.ts'
import { E, TE } from '../../../core/prelude.ts'
import { fakeEngine } from './fake-engine.ts'

const LIST = 'x'.repeat(4_000_000)
let lists = 0

const engine = fakeEngine({
  query:
    (operation, { body }) =>
    async () => {
      if (operation === 'list') return TE.right({ text: `${LIST}${(lists += 1)}` })()
      const parsed = parseStrict(body)
      await sleep(50)
      return E.isLeft(parsed) ? parsed : TE.right({ isArray: Array.isArray(parsed.right) })()
    },
})

const { url } = await httpServer(engine).listen()
process.send?.(url)
process.on('message', () => {
  globalThis.gc?.() // else what nobody needs any more is counted, too
  process.send?.(process.memoryUsage().arrayBuffers)
})
process.on('disconnect', () => process.exit())
