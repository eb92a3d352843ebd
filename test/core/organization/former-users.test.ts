import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { FORMER_USERS_MAX, formerUsers, rememberName } from '../../../core/organization/former-users.ts'
import { initial } from '../../../core/organization/state.ts'

const it = suite('the names of former users')

it('are remembered up to a number, the latest ones', () => {
  const draft = initial('o')
  for (let n = 0; n < FORMER_USERS_MAX + 2; n += 1) rememberName(draft, `user ${n}`, `name ${n}`)
  const names = formerUsers.of(draft)
  assert.is(names.size, FORMER_USERS_MAX)
  assert.equal([names.get('user 1'), names.get('user 2')], [undefined, 'name 2'])
  assert.is(names.get(`user ${FORMER_USERS_MAX + 1}`), `name ${FORMER_USERS_MAX + 1}`)
})

it.run()
