import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { quietTelemetry } from '../../../core/telemetry/quiet-telemetry.ts'
import type { Telemetry } from '../../../core/ports/telemetry.ts'
import { right, world } from '../world/world.ts'

const it = suite('quiet telemetry')

const fails = (): never => {
  throw new Error('the exporter has a bug')
}

/** Telemetry that throws wherever it is called: before the work, after it, or instead of it. */
const hostile = (when: 'before' | 'after' | 'instead'): Telemetry => ({
  span: async (_name, _attributes, work) => {
    if (when !== 'instead') await (when === 'before' ? fails() : work())
    return fails()
  },
  spanSync: (_name, _attributes, work) => {
    if (when === 'after') work()
    return fails()
  },
  count: fails,
  record: fails,
  observe: fails,
})

for (const when of ['before', 'after', 'instead'] as const) {
  it(`lets an engine do its work once, when its telemetry throws: ${when}`, async () => {
    const w = await world({ telemetry: hostile(when) })
    await w.done(w.root, 'create_user_tag', { userTagName: 'ops', userIds: [] })
    const listed = right(await w.ask(w.root, 'list_activities')).activities as readonly unknown[]
    assert.is(listed.length, 2)
    await w.close()
  })
}

it('passes on what the work itself throws', async () => {
  const telemetry = quietTelemetry(hostile('after'))
  const breaks = (): never => {
    throw new Error('the work has a bug')
  }
  assert.throws(() => void telemetry.spanSync('countersign.decide', {}, breaks, String), 'the work has a bug')
  const spanned = telemetry.span('countersign.submit', {}, async () => breaks(), String)
  assert.is(await spanned.catch((error: unknown) => String(error)), 'Error: the work has a bug')
})

it.run()
