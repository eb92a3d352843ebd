import { hostState } from '../with-host.ts'
import { E } from '../../core/prelude.ts'
import { failure } from '../../core/failure.ts'
import { fields } from '../../core/codec/fields.ts'
import { operation, type Operation } from '../../core/definition/operation.ts'
import { Label } from '../../core/codec/codec.ts'
import type { Random } from './random.ts'
import type { Scheduler } from './scheduler.ts'

/** An operation with effects outside, and the world in which they happen. */
export const payments = (random: Random, scheduler: Scheduler) => {
  const paid = new Map<string, number>()
  const pay: Operation = operation({
    type: 'ACTIVITY_TYPE_PAY',
    path: 'pay',
    summary: 'Pays.',
    resource: 'PAYMENT',
    action: 'CREATE',
    intent: fields({ reference: Label }),
    result: fields({ reference: Label }),
    change: fields({ reference: Label }),
    perform: {
      outside: true,
      resumeAfterMs: 1_000,
      attemptsMax: 1_000,
      whenInterrupted: 'retry',
      performed: fields({ reference: Label }),
      run:
        ({ reference }, { activityId }) =>
        () =>
          new Promise((resolve) => {
            scheduler.later(() => {
              const isDown = random.chance(0.2)
              if (!isDown) paid.set(activityId, (paid.get(activityId) ?? 0) + 1)
              scheduler.later(() =>
                resolve(
                  isDown ? E.left(failure('UNAVAILABLE', 'the payment service is down')) : E.right({ reference }),
                ),
              )
            })
          }),
    },
    execute: ({ reference }, { performed }) => E.right({ result: performed, change: { reference } }),
    evolve: (draft, { reference }) => void hostState.in(draft).set(`paid ${reference}`, true),
  })
  return { pay, paid: paid as ReadonlyMap<string, number> }
}
