import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Parts } from '../../../core/log/parts.ts'
import { weightOf } from '../../../core/writing/live-activities.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { approvedBy, created, folded } from '../command/given.ts'
import { long } from '../../long.ts'

const it = suite('live activities')

it('weighs an activity by its requests, its votes and its result', () => {
  const activity = folded([created('ada'), approvedBy('grace')])
  const body = new Uint8Array(1_000_000)
  const light = weightOf({ activity, requests: new Map() })
  assert.ok(light > 2_000 && light < 10_000)
  const requests = new Map([['event-1', { header: 'X-Stamp', stamp: 'x'.repeat(500), body } as const]])
  assert.is(weightOf({ activity, requests }) - light, 1_000_500)
  const heavier = { ...activity, result: { notes: 'x'.repeat(100_000) } }
  assert.ok(weightOf({ activity: heavier, requests: new Map() }) - light > 100_000)
  const parts: Parts = new Map<string, Uint8Array | 'erased'>([
    ['bundle', new Uint8Array(100_000)],
    ['gone', 'erased'],
  ])
  const withParts = { ...activity, parts }
  assert.ok(weightOf({ activity: withParts, requests: new Map() }) - light > 100_000)
})

long(it)('answers while activities wait that are larger together than its heap', async () => {
  const folder = await temporaryFolder()
  const program = fileURLToPath(new URL('heavy-program.ts', import.meta.url))
  const flags = ['--max-old-space-size=128', '--expose-gc', '--import', 'tsx']
  try {
    const arguments_ = [...flags, program, `${folder.path}/store.db`, '150']
    const { stdout } = await promisify(execFile)(process.execPath, arguments_)
    assert.match(stdout, /\ndone\n$/)
  } finally {
    await folder.remove()
  }
})

it.run()
