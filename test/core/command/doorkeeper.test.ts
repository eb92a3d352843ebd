import { getEventListeners } from 'node:events'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { doorkeeper } from '../../../core/command/doorkeeper.ts'
import { TE } from '../../../core/prelude.ts'
import { codeOf, right } from '../world/world.ts'

const it = suite('doorkeeper')

const never = () => new Promise<never>(() => undefined)

it('keeps nothing of a command at a signal that outlives it', async () => {
  const [gate, { signal }] = [doorkeeper(), new AbortController()]
  for (let n = 0; n < 20; n += 1) assert.is(right(await gate.through('ask', TE.right(n), signal)()), n)
  assert.is(getEventListeners(signal, 'abort').length, 0)
})

it('lets a caller go when its signal says so, and still counts the command', async () => {
  const [gate, controller] = [doorkeeper(), new AbortController()]
  const asked = gate.through('ask', never, controller.signal)()
  controller.abort()
  assert.is(codeOf(await asked), 'ABORTED')
  assert.is(codeOf(await gate.through('ask', never, controller.signal)()), 'ABORTED')
  assert.equal([...gate.inside()], [['ask', 1]])
})

it('knows by name who is inside, and lets nobody in once it is closed', async () => {
  const gate = doorkeeper()
  let end = (): void => undefined
  const ended = new Promise<void>((resolve) => (end = resolve))
  const first = gate.through('ask', () => ended.then(() => TE.right('done')()))()
  void gate.through('tell', () => ended.then(() => TE.right('done')()))()
  const emptied = gate.close()
  assert.equal(
    [...gate.inside()],
    [
      ['ask', 1],
      ['tell', 1],
    ],
  )
  assert.is(codeOf(await gate.through('ask', TE.right(1))()), 'UNAVAILABLE')
  end()
  await emptied
  assert.equal([right(await first), gate.inside().size], ['done', 0])
})

it.run()
