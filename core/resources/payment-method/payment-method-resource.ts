import { resource } from '../../definition/resource.ts'
import { deletePaymentMethod } from './delete-payment-method.ts'
import { paymentMethod } from './payment-method.ts'
import { setPaymentMethod } from './set-payment-method.ts'
import { updatePaymentMethod } from './update-payment-method.ts'

export { deletePaymentMethod, paymentMethod, setPaymentMethod, updatePaymentMethod }

export const paymentMethodResource = resource({
  name: 'payment-methods',
  states: [paymentMethod],
  operations: [setPaymentMethod, updatePaymentMethod, deletePaymentMethod],
})
