import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { deletedUsers } from '../../../../core/organization/deleted-users.ts'
import { deletePaymentMethod } from '../../../../core/resources/payment-method/delete-payment-method.ts'
import { paymentMethod } from '../../../../core/resources/payment-method/payment-method.ts'
import { setPaymentMethod } from '../../../../core/resources/payment-method/set-payment-method.ts'
import { updatePaymentMethod } from '../../../../core/resources/payment-method/update-payment-method.ts'
import { codeOf, right, world } from '../../world/world.ts'
import { anyOrganization } from '../execute.ts'

const it = suite('payment methods')

const method = (paymentMethodId: string) => ({
  paymentMethodId,
  cardHolderName: 'Ada Lovelace',
  cardHolderEmail: 'ada@example.com',
})
const bills = { paymentEmail: 'bills@example.com' }

it('take the place of the one before; whom that named counts as deleted then, under the id of the activity', async () => {
  const { close, done, engine, organizationId, root } = await world()
  const first = await done(root, 'set_payment_method', method('pm_1'))
  const billed = await done(root, 'update_payment_method', bills)
  const again = await done(root, 'update_payment_method', { paymentEmail: 'others@example.com' })
  const replayed = async () => right(await engine.replayOrganization(organizationId)()).state
  assert.equal([...deletedUsers.of(await replayed()).keys()], [billed.id])
  assert.equal(paymentMethod.of(await replayed()).present, {
    ...method('pm_1'),
    cardHolderId: first.id,
    bills: { payerId: again.id, paymentEmail: 'others@example.com' },
  })
  const second = await done(root, 'set_payment_method', method('pm_2'))
  assert.equal(paymentMethod.of(await replayed()).present, { ...method('pm_2'), cardHolderId: second.id })
  await done(root, 'delete_payment_method', { paymentMethodId: 'pm_2' })
  assert.equal([...deletedUsers.of(await replayed()).keys()], [billed.id, first.id, again.id, second.id])
  assert.is(paymentMethod.of(await replayed()).present, undefined)
  await close()
})

it('show in their results what the wire has, and no last digits', async () => {
  const { close, done, root } = await world()
  const { result } = await done(root, 'set_payment_method', method('pm_1'))
  const { cardHolderName, cardHolderEmail } = method('')
  assert.equal(result['setPaymentMethodResult'], { lastFour: '', cardHolderName, cardHolderEmail })
  const updated = await done(root, 'update_payment_method', bills)
  assert.equal(updated.result['updatePaymentMethodResult'], bills)
  await close()
})

it('are deleted by their id, or by none; a refusal does not repeat another id', () => {
  const tried = anyOrganization()
  assert.is(tried.refuse(updatePaymentMethod, bills).code, 'RESOURCE_NOT_FOUND')
  assert.is(tried.refuse(deletePaymentMethod, {}).code, 'RESOURCE_NOT_FOUND')
  tried.execute(setPaymentMethod, method('pm_1'))
  const { code, message } = tried.refuse(deletePaymentMethod, { paymentMethodId: 'pm_2' })
  assert.is(code, 'RESOURCE_NOT_FOUND')
  assert.not.match(message, 'pm_2')
  assert.equal(tried.execute(deletePaymentMethod, { paymentMethodId: null }).result, { paymentMethodId: 'pm_1' })
})

it('take no member but their own, and no number of a card in place of another text', async () => {
  const { close, root, submit } = await world()
  const number = '4242 4242 4242 4242'
  const wrong: readonly (readonly [path: string, parameters: { readonly [member: string]: string }])[] = [
    ['set_payment_method', { ...method('pm_1'), cvv: '737' }],
    ['set_payment_method', { ...method('pm_1'), [number]: '' }],
    ['set_payment_method', method(number)],
    ['set_payment_method', { ...method('pm_1'), cardHolderName: number }],
    ['update_payment_method', { ...bills, number }],
    ['delete_payment_method', { paymentMethodId: number }],
    ['delete_payment_method', { paymentMethodId: 'pm_1', number }],
  ]
  for (const [path, parameters] of wrong) {
    const answer = await submit(root, path, parameters)
    assert.is(codeOf(answer), 'REQUEST_INVALID')
    assert.not.match(JSON.stringify(answer), /4242|737/)
  }
  await close()
})

it.run()
