import * as t from '../../../core/codec/t.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { prometheus } from '../../../adapters/telemetry/index.ts'
import type { Notice } from '../../../core/ports/notice.ts'
import { withCause } from '../../../core/telemetry/cause.ts'
import { query } from '../../../core/definition/query.ts'
import { refuse } from '../../../core/definition/refuse.ts'
import { InOrganization } from '../../../core/resources/in-organization.ts'
import { withHost } from '../world/with-host.ts'
import { codeOf, right, stamped, world } from '../world/world.ts'
import { inTime, until } from '../world/under-way.ts'
import { storyOf } from './history.ts'
import { RESUME_AFTER_MS } from './notice.ts'
import { board, office } from './office.ts'

const it = suite('work that fails')

const never = new Promise<never>(() => undefined)

it('tells of effects that fail for ever once, then how often, and why where the host says it', async () => {
  const notices: Notice[] = []
  const numbers = prometheus()
  const down = () => withCause(refuse('UNAVAILABLE', 'secret'), () => ({ status: 503 }))
  const options = { onNotice: (notice: Notice) => void notices.push(notice), telemetry: numbers.telemetry }
  let isDown = true
  const run = async () => {
    if (isDown) throw down()
    return { receipt: 'paid' }
  }
  const w = await office({ run, attemptsMax: 1_000 }, options)
  const { id } = right(await w.post())
  const attempts = () => Number(/attempt_failures_total\{code="UNAVAILABLE"[^}]*\} (\d+)/.exec(numbers.text())?.[1])
  await inTime(
    w.clock,
    until(() => attempts() >= 12),
    RESUME_AFTER_MS,
  )
  assert.equal(notices[0], {
    level: 'warn',
    message: 'the work of an operation failed',
    context: { status: 503, operation: 'ACTIVITY_TYPE_POST_NOTICE', activity: id, attempt: 1, code: 'UNAVAILABLE' },
  })
  assert.ok(notices.length <= 12, `${notices.length}`)
  assert.is(notices.at(-1)?.message, 'still: the work of an operation failed')
  isDown = false
  await inTime(w.clock, w.ends(id), RESUME_AFTER_MS)
  assert.is(notices.at(-1)?.message, 'over: the work of an operation failed')
  assert.not.match(JSON.stringify(notices), 'secret')
  await w.close()
})

it('tells of an interrupted effect that must not be repeated, and counts it as a failure', async () => {
  const w = await office({ run: () => never, whenInterrupted: 'fail' }, { waitForEffectsMs: 0 })
  const { id } = right(await inTime(w.clock, w.post(), 0))
  const notices: Notice[] = []
  const numbers = prometheus()
  const options = { onNotice: (notice: Notice) => void notices.push(notice), telemetry: numbers.telemetry }
  const second = await w.restart({}, options)
  w.clock.pass(RESUME_AFTER_MS)
  await until(async () => (await storyOf(w, id)).at(-1) === 'Failed')
  await until(() => notices.length > 0)
  const context = { operation: 'ACTIVITY_TYPE_POST_NOTICE', activity: id, attempt: 1, code: 'INTERRUPTED' }
  const message = 'the work of an operation was interrupted, and nobody knows whether it was done'
  assert.equal(notices, [{ level: 'error', message, context }])
  assert.match(numbers.text(), 'attempt_failures_total{code="INTERRUPTED",type="ACTIVITY_TYPE_POST_NOTICE"} 1')
  await second.close()
})

it('tells of an activity that failed although its work was done', async () => {
  const notices: Notice[] = []
  const { run } = board({ receipt: 'x'.repeat(17 * 1024 * 1024) })
  const w = await office({ run }, { onNotice: (notice) => void notices.push(notice) })
  const { id } = right(await w.post())
  assert.equal(
    notices.map(({ level, message, context }) => [level, message, context?.['activity'], context?.['code']]),
    [['error', 'the work of an operation was done, and its activity failed', id, 'REQUEST_TOO_LARGE']],
  )
  await w.close()
})

it('has the id of the request in the notice of a bug, where the caller gave one', async () => {
  const notices: Notice[] = []
  const throwing = query({
    path: 'throwing',
    summary: 'Throws.',
    request: InOrganization,
    answer: t.fields({}),
    run: () => {
      throw new Error('secret')
    },
  })
  const onNotice = (notice: Notice): void => void notices.push(notice)
  const w = await world({ resources: withHost([], [throwing]), onNotice })
  const body = new TextEncoder().encode(JSON.stringify({ organizationId: w.organizationId }))
  const asked = await w.engine.query('throwing', stamped(w.root, body), { requestId: 'one' })()
  assert.is(codeOf(asked), 'INTERNAL')
  assert.equal([notices[0]?.message, notices[0]?.context?.['requestId']], ['throwing threw', 'one'])
  await w.close()
})

it.run()
