import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failure } from '../../../core/failure.ts'
import { onceAnswered } from '../../../core/ports/once-answered.ts'
import { E } from '../../../core/prelude.ts'

const it = suite('a task that is answered once')

it('runs once for all who wait, and again only after a failure', async () => {
  const answers = [E.left(failure('UNAVAILABLE', 'no answer')), E.right('a'), E.right('b')]
  const task = onceAnswered(async () => answers.shift() ?? E.right('none'))
  assert.equal(await Promise.all([task(), task()]), Array(2).fill(E.left(failure('UNAVAILABLE', 'no answer'))))
  assert.equal(await Promise.all([task(), task()]), [E.right('a'), E.right('a')])
  assert.equal(await task(), E.right('a'))
})

it.run()
