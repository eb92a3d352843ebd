import * as t from '../../codec/t.ts'
import { refuse } from '../../definition/refuse.ts'
import { deletedUsers } from '../../organization/deleted-users.ts'
import { state, type DeepReadonly, type Draft, type Organization } from '../../organization/state.ts'

/** How the organization would pay. */
const PaymentMethod = t.fields(
  { paymentMethodId: t.string, cardHolderId: t.string, cardHolderName: t.string, cardHolderEmail: t.string },
  { bills: t.fields({ payerId: t.string, paymentEmail: t.string }) },
)
type PaymentMethod = t.TypeOf<typeof PaymentMethod>

/**
 * The payment method of the organization, if it has one. Who holds the card, and who gets the bills, need not be users, so the id of the
 * activity that named them stands for each of them. From when the payment method says something else they count as deleted, and
 * `erase_user` takes these ids.
 */
export const paymentMethod = state({
  name: 'payment-method',
  version: 1,
  codec: t.fields({}, { present: PaymentMethod }),
  initial: (): { present?: PaymentMethod | undefined } => ({}),
})

/** Puts another payment method, or none, in the place of the present one. */
export const replacePaymentMethod = (draft: Draft, method: PaymentMethod | undefined, sequence: bigint): void => {
  const held = paymentMethod.in(draft)
  const [before, after] = [personsOf(held.present), personsOf(method)]
  for (const person of before)
    if (!after.includes(person)) deletedUsers.in(draft).set(person, { sequence: String(sequence), isErased: false })
  held.present = method
}

const personsOf = (method: PaymentMethod | undefined): readonly string[] =>
  method === undefined ? [] : [method.cardHolderId, ...(method.bills === undefined ? [] : [method.bills.payerId])]

/**
 * The payment method. The refusal does not repeat the id, because it is a text that the caller chose.
 *
 * @param id  null: whichever it is
 */
export const findPaymentMethod = (id: string | null, organization: Organization): DeepReadonly<PaymentMethod> => {
  const { present } = paymentMethod.of(organization)
  if (present !== undefined && (id === null || present.paymentMethodId === id)) return present
  throw refuse(
    'RESOURCE_NOT_FOUND',
    `unable to find this payment method in organization ${organization.organizationId}`,
  )
}
