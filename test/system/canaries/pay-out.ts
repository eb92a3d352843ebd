import * as t from '../../../core/codec/t.ts'
import { operation, type Operation } from '../../../core/definition/operation.ts'
import { refuse } from '../../../core/definition/refuse.ts'

/** A service to which only credentials lead: as a header, and in the URL. */
export type Account = {
  readonly url: string
  readonly bearer: string
  readonly user: string
  readonly password: string
}

/** An operation of a host whose service wants credentials, and whose requests carry a reference that is nobody's concern. */
export const payOut = ({ url, bearer, user, password }: Account): Operation =>
  operation({
    type: 'ACTIVITY_TYPE_PAY_OUT',
    path: 'pay_out',
    summary: 'Pays out.',
    intent: t.fields({ amount: t.Label, reference: t.Label }),
    result: t.fields({ paymentId: t.string }),
    change: t.fields({ paymentId: t.string }),
    perform: {
      outside: true,
      resumeAfterMs: 50,
      attemptsMax: 2,
      whenInterrupted: 'retry',
      performed: t.fields({ paymentId: t.string }),
      run: async ({ amount, reference }, { activityId, signal }) => {
        // The way that a host forgets: fetch refuses credentials in a URL, and repeats them in what it throws.
        const place = amount === 'throws' ? url.replace('://', `://${user}:${password}@`) : url
        const answer = await fetch(`${place}/${amount}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${bearer}`, 'idempotency-key': activityId },
          body: reference,
          signal,
        })
        if (answer.status >= 500) throw refuse('UNAVAILABLE', 'the service is down')
        if (!answer.ok) throw refuse('REQUEST_INVALID', 'the service refused the payment')
        return { paymentId: await answer.text() }
      },
    },
    execute: (_, { performed }) => ({ result: performed, change: performed }),
    evolve: () => undefined,
  })
