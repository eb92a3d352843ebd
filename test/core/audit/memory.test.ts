import { withHost } from '../world/with-host.ts'
import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { intents, memoryScratch } from '../../../core/audit/intents.ts'
import { exportLines, pagesOf } from '../../../core/log/transcript.ts'
import type { EventStore } from '../../../core/ports/event-store.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { right } from '../world/world.ts'
import { keepText } from './large-requests.ts'
import { digest, trio } from './logs.ts'

const it = suite('the memory of an audit')

const run = promisify(execFile)
const program = fileURLToPath(new URL('audit-program.ts', import.meta.url))

const exportTo = async (path: string, store: EventStore): Promise<void> => {
  const out = createWriteStream(path)
  for await (const chunk of exportLines(digest, pagesOf(store))) if (!out.write(right(chunk))) await once(out, 'drain')
  out.end()
  await once(out, 'finish')
}

it('does not grow with the requests that wait: a hundred of a megabyte each are audited in 64 MB', async () => {
  const made = await trio({ resources: withHost([keepText]) })
  const { approve, done, grace, root, storage } = made
  const lines = Array.from(
    { length: 12_000 },
    (_, n) => `line ${n} of a text that is long because of its lines: ${n % 7}`,
  )
  const waiting = []
  for (let n = 0; n < 100; n += 1) waiting.push(await done(root, 'keep_text', { lines: [...lines, String(n)] }))
  for (const activity of waiting.slice(0, 10)) right(await approve(grace, activity))
  const folder = await temporaryFolder()
  const path = join(folder.path, 'log.jsonl')
  await exportTo(path, storage.store)
  await made.close()
  const { stdout } = await run(process.execPath, ['--max-old-space-size=64', '--import', 'tsx', program, path])
  assert.equal(JSON.parse(stdout), { decisions: 114, executions: 14, findings: 0 })
  await folder.remove()
})

it('holds what was asked for up to a bound, and reads the rest again', () => {
  const scratch = memoryScratch()
  let put = 0
  let read = 0
  const counted = (bytes: Uint8Array): number => {
    put += 1
    return scratch.put(bytes)
  }
  const kept = intents({ ...scratch, put: counted }, 100)
  const decoded = (n: number) => ({ echo: n, intent: n as never })
  const readAgain = (body: Uint8Array) => {
    read += 1
    return decoded(body[0] ?? 0)
  }
  const all = Array.from({ length: 5 }, (_, n) => kept.keep(new Uint8Array(40).fill(n), decoded(n), readAgain))
  assert.is(put, 3)
  for (const [n, one] of all.entries()) assert.is(one.decoded()?.echo, n)
  assert.is(read, 5) // each pushed out the one that would have been asked for next
  assert.is(all[4]?.decoded()?.echo, 4)
  assert.is(read, 5)
  for (const one of all) one.release()
  const next = kept.keep(new Uint8Array(100).fill(9), decoded(9), readAgain)
  assert.is(next.decoded()?.echo, 9)
  assert.is(read, 5)
})

it.run()
