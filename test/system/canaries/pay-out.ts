import * as t from 'io-ts'
import { Label } from '../../../core/codec/codec.ts'
import { failure } from '../../../core/failure.ts'
import { fields } from '../../../core/codec/fields.ts'
import { operation, type Operation } from '../../../core/definition/operation.ts'
import { E } from '../../../core/prelude.ts'

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
    intent: fields({ amount: Label, reference: Label }),
    result: fields({ paymentId: t.string }),
    change: fields({ paymentId: t.string }),
    perform: {
      outside: true,
      resumeAfterMs: 50,
      attemptsMax: 2,
      whenInterrupted: 'retry',
      performed: fields({ paymentId: t.string }),
      run:
        ({ amount, reference }, { activityId, signal }) =>
        async () => {
          // The way that a host forgets: fetch refuses credentials in a URL, and repeats them in what it throws.
          const place = amount === 'throws' ? url.replace('://', `://${user}:${password}@`) : url
          const answer = await fetch(`${place}/${amount}`, {
            method: 'POST',
            headers: { authorization: `Bearer ${bearer}`, 'idempotency-key': activityId },
            body: reference,
            signal,
          })
          if (answer.status >= 500) return E.left(failure('UNAVAILABLE', 'the service is down'))
          return answer.ok
            ? E.right({ paymentId: await answer.text() })
            : E.left(failure('REQUEST_INVALID', 'the service refused the payment'))
        },
    },
    execute: (_, { performed }) => E.right({ result: performed, change: performed }),
    evolve: () => undefined,
  })
