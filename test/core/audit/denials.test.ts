import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { codeOf, right, world } from '../world/world.ts'
import { draftsOf, forged, rebased, type Draft } from './forgery.ts'
import { audited, codesIn, exported } from './logs.ts'

const it = suite('audits of denials')

it('find a denial that was moved behind the activity of the same body: there, the request would have been a vote', async () => {
  const w = await world()
  const ada = await w.enrol('ada')
  const body = w.body('create_user_tag', { userTagName: 'one', userIds: [] })
  assert.is(codeOf(await w.send(ada, 'create_user_tag', body)), 'REQUEST_NOT_AUTHORIZED')
  right(await w.send(w.root, 'create_user_tag', body))
  assert.is(codeOf(await w.send(ada, 'create_user_tag', body)), 'REQUEST_NOT_AUTHORIZED') // the same denial again
  const text = await exported(w.storage.store)
  assert.equal((await audited(text)).findings, [])
  const drafts = draftsOf(text)
  const isDenial = ({ event }: Draft): boolean => JSON.stringify(event.data).includes('"outcome":"DENIED"')
  const moved = [...drafts.filter((one) => !isDenial(one)), ...drafts.filter(isDenial)]
  assert.is(moved.filter(isDenial).length, 1)
  assert.equal(codesIn(await audited(forged(rebased(moved)))), ['STATUS_IMPOSSIBLE'])
  await w.close()
})

it.run()
