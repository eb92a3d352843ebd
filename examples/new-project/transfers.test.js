// @ts-check
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPolicy } from 'countersign/api'
import { office } from 'countersign/testing'
import { makeTransfer, transfers } from './transfers.js'

test('transfers money when two officers have approved', async () => {
  const here = await office({ resources: [transfers] })
  const clerk = await here.enrol('clerk')
  const ada = await here.enrol('ada', { tags: ['officers'] })
  const grace = await here.enrol('grace', { tags: ['officers'] })
  await here.root.submit(createPolicy, {
    policyName: 'two officers',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'TRANSFER' && activity.params.cents <= 50000",
    consensus: `approvers.filter(user, user.tags.contains('${here.tagId('officers')}')).count() >= 2`,
    notes: '',
  })

  const asked = await clerk.submit(makeTransfer, { to: 'Lamps Ltd', cents: 40_000 })
  assert.equal(asked.status, 'consensus-needed')
  await ada.approve(asked.activity)
  const approved = await grace.approve(asked.activity)
  assert.equal(approved.status, 'completed')

  const { result } = await here.root.submit(makeTransfer, { to: 'Chairs Ltd', cents: 1 })
  assert.equal(result?.leftCents, 59_999)
  const { findings } = await here.audit()
  assert.deepEqual(findings, [])
  assert.deepEqual(await here.missedForgeries(), [])
  await here.close()
})

test('refuses more than the account has, and less than a cent', async () => {
  const here = await office({ resources: [transfers] })
  for (const [cents, code] of /** @type {const} */ ([
    [100_001, 'ACCOUNT_TOO_SMALL'],
    [-1, 'REQUEST_INVALID'],
  ])) {
    const tried = await here.root.try(makeTransfer, { to: 'Lamps Ltd', cents })
    assert.equal(!tried.ok && tried.failure.code, code)
  }
  await here.close()
})
