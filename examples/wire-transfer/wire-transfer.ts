/**
 * A complete operation of a host: its intent, the inspection of its request, its parameters for policies, its work outside through a
 * port, its change, its read model and its query. With `createEngine` it has stamps, consensus, audit and a route like every other
 * operation.
 */
import { operation, port, projection, query, refuse, resource, state, t } from 'countersign'

const Amount = t.refined(t.string, 'an amount in cents, in a string', (text) => /^[1-9][0-9]{0,14}$/.test(text))
const Iban = t.refined(t.string, 'an IBAN', (text) => /^[A-Z]{2}[0-9]{2}[A-Z0-9]{10,30}$/.test(text))

/** The service that the work needs: it pays once per idempotency key. An auditor does not need it. */
export type Payments = {
  readonly pay: (
    idempotencyKey: string,
    payment: object,
    signal: AbortSignal,
  ) => Promise<{ readonly paymentId: string }>
}

export type WireTransferOptions = {
  /** What to do with a transfer if the process died before the service answered. Default: another attempt, with the same key. */
  readonly whenInterrupted?: 'retry' | 'fail'
  /** After how many milliseconds another attempt may follow. Default: 30 s. */
  readonly resumeAfterMs?: number
}

/** The state of an organization's transfers. */
const totals = state({
  name: 'wire-transfers',
  version: 1,
  codec: t.fields({ sumCents: t.string }),
  initial: () => ({ sumCents: '0' }),
})

/** Defines `wire_transfer`: submitted to `/public/v1/submit/wire_transfer`, allowed by policies on `WIRE_TRANSFER`. */
export const wireTransfer = ({ whenInterrupted = 'retry', resumeAfterMs = 30_000 }: WireTransferOptions = {}) =>
  operation({
    type: 'ACTIVITY_TYPE_WIRE_TRANSFER',
    path: 'wire_transfer',
    summary: 'Sends money through the payment service.',
    resource: 'WIRE_TRANSFER',
    action: 'CREATE',
    intent: t.fields({ beneficiary: t.Label, iban: Iban, amountCents: Amount }, { reference: t.Label }),
    result: t.fields({ paymentId: t.string }),
    change: t.fields({ paymentId: t.string, iban: Iban, amountCents: Amount }),

    // From the request alone, before the decision: it refuses impossible account numbers, and policies can use the country.
    inspect: ({ iban }) => {
      if (!hasRightDigits(iban)) throw refuse.field('iban', 'check digits that fit')
      return { country: iban.slice(0, 2) }
    },
    params: ({ iban, amountCents }, { country }) => ({ iban, amount_cents: amountCents, country }),

    perform: {
      outside: true,
      needs: { payments: port<Payments>() },
      resumeAfterMs,
      attemptsMax: 5,
      whenInterrupted,
      performed: t.fields({ paymentId: t.string }),
      // The activity's id is the same in every attempt, so the service pays once.
      run: (intent, { ports, activityId, signal }) => ports.payments.pay(activityId, intent, signal),
    },

    execute: ({ iban, amountCents }, { performed: { paymentId } }) => ({
      result: { paymentId },
      change: { paymentId, iban, amountCents },
    }),

    // The sum of all transfers of this organization, for later decisions.
    evolve: (draft, { amountCents }) => {
      const total = totals.in(draft)
      total.sumCents = String(BigInt(total.sumCents) + BigInt(amountCents))
    },
  })

/** A row of the read model, and in the answer. */
const WireTransfer = t.named(
  'WireTransfer',
  t.fields({ activityId: t.Uuid, paymentId: t.string, iban: Iban, amountCents: Amount, sentAt: t.Timestamp }),
)

/** The read model: a row for each completed transfer, in the order of the log. */
export const sentTransfers = projection({
  name: 'wire-transfers',
  version: 1,
  of: wireTransfer(),
  row: WireTransfer,
  from: (change, { activityId, timestamp: sentAt }) => ({ activityId, ...change, sentAt }),
})

/** The query: `/public/v1/query/list_wire_transfers`. */
export const listWireTransfers = query({
  path: 'list_wire_transfers',
  summary: 'Lists the transfers that were sent, newest first, with their sum.',
  request: t.fields({ organizationId: t.string }),
  answer: t.fields({ wireTransfers: t.readonlyArray(WireTransfer), sumCents: t.string }),
  run: async (_, { organization, rows }) => ({
    wireTransfers: await rows(sentTransfers, { limit: 100 }),
    sumCents: totals.of(organization).sumCents,
  }),
})

/** The resource for `createEngine`, which also needs `ports: { payments }`. */
export const wireTransfers = (options: WireTransferOptions = {}) =>
  resource({
    name: 'wire-transfers',
    states: [totals],
    operations: [wireTransfer(options)],
    queries: [listWireTransfers],
    projections: [sentTransfers],
  })

/** The client of the payment service, for its port: it sends `POST /payments` with an `Idempotency-Key`. */
export const httpPayments = (paymentsUrl: string): Payments => ({
  pay: async (idempotencyKey, payment, signal) => {
    const response = await fetch(`${paymentsUrl}/payments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
      body: JSON.stringify(payment),
      signal,
    }).catch(() => {
      throw refuse('UNAVAILABLE', 'the payment service cannot be reached')
    })
    if (response.status >= 500) throw refuse('UNAVAILABLE', 'the payment service is down')
    const answer: unknown = await response.json()
    if (!response.ok || !hasPaymentId(answer))
      throw refuse('REQUEST_INVALID', 'the payment service refused the payment')
    return { paymentId: answer.paymentId }
  },
})

/**
 * ISO 13616: move the first four characters to the end, and turn letters into numbers from 10 on; then the number modulo 97 is 1.
 */
const hasRightDigits = (iban: string): boolean => {
  const digits = (iban.slice(4) + iban.slice(0, 4)).replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  return BigInt(digits) % 97n === 1n
}

const hasPaymentId = (answer: unknown): answer is { readonly paymentId: string } =>
  typeof answer === 'object' && answer !== null && 'paymentId' in answer && typeof answer.paymentId === 'string'
