/**
 * A host's own operation, whole: what is asked for, who may allow it (by policy), what happens outside, what it changes,
 * and how it is asked about. Given to `createEngine` it has stamps, consensus, audit, a route and a place in the log like
 * every other.
 */
import { E, failure, fields, Label, operation, pipe, projection, query, refined, TE, timestamp } from 'countersign'
import type { Failure, Json } from 'countersign'
import * as t from 'io-ts'

const Amount = refined(t.string, 'an amount in cents, in a string', (text) => /^[1-9][0-9]{0,14}$/.test(text))
const Iban = refined(t.string, 'an IBAN', (text) => /^[A-Z]{2}[0-9]{2}[A-Z0-9]{10,30}$/.test(text))

export type WireTransferOptions = {
  /** Where the payment service listens: `POST /payments` with an `Idempotency-Key`. */
  readonly paymentsUrl: string
  /** What to do with a transfer when the process died before the service answered. Default: ask again, same key. */
  readonly whenInterrupted?: 'retry' | 'fail'
  /** How long an attempt is given before another may follow. Default: 30 s. */
  readonly resumeAfterMs?: number
}

/** Defines `wire_transfer`: submitted to `/public/v1/submit/wire_transfer`, allowed by policies on `WIRE_TRANSFER`. */
export const wireTransfer = ({ paymentsUrl, whenInterrupted = 'retry', resumeAfterMs = 30_000 }: WireTransferOptions) =>
  operation({
    type: 'ACTIVITY_TYPE_WIRE_TRANSFER',
    path: 'wire_transfer',
    summary: 'Sends money through the payment service.',
    resource: 'WIRE_TRANSFER',
    action: 'CREATE',
    intent: fields({ beneficiary: Label, iban: Iban, amountCents: Amount }, { reference: Label }),
    result: fields({ paymentId: t.string }),
    change: fields({ paymentId: t.string, iban: Iban, amountCents: Amount }),
    params: ({ iban, amountCents }) => ({ iban, amount_cents: amountCents }),

    perform: {
      outside: true,
      resumeAfterMs,
      attemptsMax: 5,
      whenInterrupted,
      performed: fields({ paymentId: t.string }),
      // The activity's id is the same in every attempt: the service pays once, however often it is asked.
      run: (intent, { activityId, signal }) => pay(paymentsUrl, activityId, intent, signal),
    },

    execute: ({ iban, amountCents }, { performed: { paymentId } }) =>
      E.right({ result: { paymentId }, change: { paymentId, iban, amountCents } }),

    // What this organization has sent in all, for whoever decides on the next transfer.
    evolve: (draft, { amountCents }) => {
      const before = draft.host.get('wire-transfers')
      const sum = typeof before === 'string' ? BigInt(before) : 0n
      draft.host.set('wire-transfers', String(sum + BigInt(amountCents)))
    },
  })

/** The read model: a row for each transfer that was sent, in the order of the log. */
export const wireTransfers = projection({
  name: 'wire-transfers',
  version: 1,
  project: (event) =>
    event.type === 'ActivityCompleted' && event.data.type === 'ACTIVITY_TYPE_WIRE_TRANSFER'
      ? [
          {
            _tag: 'put',
            organization: event.organization,
            key: event.activity,
            order: event.sequence,
            facets: {},
            value: {
              activityId: event.activity,
              ...object(event.data.change),
              sentAt: timestamp(Date.parse(event.at)),
            },
          },
        ]
      : [],
})

/** The question: `/public/v1/query/list_wire_transfers`. */
export const listWireTransfers = query({
  path: 'list_wire_transfers',
  summary: 'Lists the transfers that were sent, newest first, with their sum.',
  request: fields({ organizationId: t.string }),
  answers: ['wireTransfers', 'sumCents'],
  answer: (_, { organization, rows }) =>
    pipe(
      rows('wire-transfers', { limit: 100 }),
      TE.map((found) => ({
        wireTransfers: found.map(({ value }) => value),
        sumCents: organization.host.get('wire-transfers') ?? '0',
      })),
    ),
})

const pay =
  (
    paymentsUrl: string,
    idempotencyKey: string,
    payment: Json,
    signal: AbortSignal,
  ): TE.TaskEither<Failure, { paymentId: string }> =>
  async () => {
    try {
      const response = await fetch(`${paymentsUrl}/payments`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
        body: JSON.stringify(payment),
        signal,
      })
      if (response.status >= 500) return E.left(failure('UNAVAILABLE', 'the payment service is down'))
      const answer: unknown = await response.json()
      if (!response.ok || !hasPaymentId(answer))
        return E.left(failure('REQUEST_INVALID', 'the payment service refused the payment'))
      return E.right({ paymentId: answer.paymentId })
    } catch {
      return E.left(failure('UNAVAILABLE', 'the payment service cannot be reached'))
    }
  }

const hasPaymentId = (answer: unknown): answer is { readonly paymentId: string } =>
  typeof answer === 'object' && answer !== null && 'paymentId' in answer && typeof answer.paymentId === 'string'

const object = (json: Json): { readonly [member: string]: Json } =>
  typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as { readonly [member: string]: Json }) : {}
