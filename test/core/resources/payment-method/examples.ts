import { deletePaymentMethod } from '../../../../core/resources/payment-method/delete-payment-method.ts'
import { setPaymentMethod } from '../../../../core/resources/payment-method/set-payment-method.ts'
import { updatePaymentMethod } from '../../../../core/resources/payment-method/update-payment-method.ts'
import { example, PERSONAL, type Scene } from '../example.ts'

const given = ({ text }: Scene) => ({
  paymentMethodId: `pm_${text('paymentMethodId')}`,
  cardHolderName: text('cardHolderName'),
  cardHolderEmail: `${text('cardHolderEmail')}@example.com`,
})

export const CARD_NUMBER = '4242424242424242'

export const examples = [
  example(setPaymentMethod, {
    valid: given,
    refused: [(scene) => ({ ...given(scene), paymentMethodId: CARD_NUMBER }), 'REQUEST_INVALID'],
    shows: () => ({ lastFour: '' }),
  }),
  example(updatePaymentMethod, {
    valid: async (scene) => {
      await scene.made(setPaymentMethod)
      return { paymentEmail: `${scene.text('paymentEmail')}@example.com` }
    },
    refused: [{ paymentEmail: 'bills@example.com', number: CARD_NUMBER, cvv: '737' }, 'REQUEST_INVALID'],
  }),
  example(deletePaymentMethod, {
    valid: async ({ made }) => {
      await made(setPaymentMethod)
      return { paymentMethodId: undefined } // results do not have the id
    },
    refused: [{ paymentMethodId: 'pm_1' }, 'RESOURCE_NOT_FOUND'],
  }),
]

export const texts = {
  cardHolderName: PERSONAL,
  cardHolderEmail: PERSONAL,
  paymentEmail: PERSONAL,
  lastFour: 'of a card: nobody tells them, and it is always empty',
}
