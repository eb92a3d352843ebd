/*
 * A server in a process of its own, which its test starts with little memory. Its engine does what the real one does to
 * memory: it parses a body and keeps the value while it waits for a store.
 */
import { parseStrict } from '../../../core/json/strict-json.ts'
import { E, TE } from '../../../core/prelude.ts'
import { fakeEngine } from './fake-engine.ts'
import { farEnds, serving, turns } from './transport.ts'

const LIST = 'x'.repeat(4_000_000)
let lists = 0

const engine = fakeEngine({
  query:
    (operation, { body }) =>
    async () => {
      if (operation === 'list') return TE.right({ text: `${LIST}${(lists += 1)}` })()
      const parsed = parseStrict(body)
      await turns()
      return E.isLeft(parsed) ? parsed : TE.right({ isArray: Array.isArray(parsed.right) })()
    },
})

void serving(engine, {}, (url) => {
  process.send?.(url)
  return new Promise(() => undefined)
})
process.on('message', (asked) => {
  if (asked === 'memory') globalThis.gc?.() // else what nobody needs any more is counted, too
  const read = [...farEnds].map(([port, { bytesRead, destroyed }]) => [
    port,
    destroyed ? Number.MAX_SAFE_INTEGER : bytesRead,
  ])
  process.send?.({ lists, read, held: process.memoryUsage().arrayBuffers })
})
process.on('disconnect', () => process.exit())
