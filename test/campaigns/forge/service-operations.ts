import * as t from '../../../core/codec/t.ts'
import { userTags } from '../../../core/resources/user-tag/user-tags.ts'
import { users } from '../../../core/organization/users.ts'
import { hostState } from '../../core/world/with-host.ts'
import type { Failure } from '../../../core/failure.ts'
import { operation, type Operation, type PerformContext } from '../../../core/definition/operation.ts'
import { refuse, valueOf } from '../../../core/definition/refuse.ts'
import type { E } from '../../../core/prelude.ts'

/** How a service answers an attempt. One with effects outside may take its time, or never answer. */
export type Service = (
  context: PerformContext,
  isOutside: boolean,
) => Promise<E.Either<Failure, { readonly receipt: string }>>

/** How effects are tried; it is read anew each time. */
export type Attempts = {
  readonly max: number
  readonly whenInterrupted: 'retry' | 'fail'
  readonly resumeAfterMs: number
}

const RESUME_AFTER_MS = 60_000

/** Operations with work: outside, that may be repeated and that may not, and before a decision. */
export const serviceOperations = (service: Service, attempts?: Attempts): readonly Operation[] => [
  effect('PAY', 'PAYMENT', service, attempts ?? { max: 3, whenInterrupted: 'retry', resumeAfterMs: RESUME_AFTER_MS }),
  effect('MAIL', 'LETTER', service, attempts ?? { max: 1, whenInterrupted: 'fail', resumeAfterMs: RESUME_AFTER_MS }),
  quote(service),
]

const intent = t.fields({ payee: t.string, cents: t.number })
const performed = t.fields({ receipt: t.string })
const change = t.fields({ payee: t.string, receipt: t.string })

const effect = (name: string, resource: string, service: Service, attempts: Attempts): Operation =>
  operation({
    type: `ACTIVITY_TYPE_${name}`,
    path: name.toLowerCase(),
    summary: 'Has effects outside.',
    resource,
    action: 'CREATE',
    intent,
    result: performed,
    change,
    params: ({ payee, cents }) => ({ payee, cents }),
    check: (_, { organization }) => {
      if ((users.of(organization).size + userTags.of(organization).size) % 5 === 0)
        throw refuse('CONFLICT', 'not today')
    },
    perform: {
      outside: true,
      get resumeAfterMs() {
        return attempts.resumeAfterMs
      },
      get attemptsMax() {
        return attempts.max
      },
      get whenInterrupted() {
        return attempts.whenInterrupted
      },
      performed,
      run: async (_, context) => valueOf(await service(context, true)),
    },
    execute: ({ payee }, { performed: { receipt } }) => ({ result: { receipt }, change: { payee, receipt } }),
    evolve: (draft, { payee, receipt }) => void hostState.in(draft).set(`${name} ${receipt}`, payee),
  })

const quote = (service: Service): Operation =>
  operation({
    type: 'ACTIVITY_TYPE_QUOTE',
    path: 'quote',
    summary: 'Works before it is decided on.',
    resource: 'QUOTE',
    action: 'CREATE',
    intent,
    result: performed,
    change,
    perform: {
      outside: false,
      resumeAfterMs: 0,
      attemptsMax: 1,
      whenInterrupted: 'fail',
      performed,
      run: async (_, context) => valueOf(await service(context, false)),
    },
    execute: ({ payee }, { performed: { receipt } }) => ({ result: { receipt }, change: { payee, receipt } }),
    evolve: (draft, { payee, receipt }) => void hostState.in(draft).set(`quote ${receipt}`, payee),
  })
