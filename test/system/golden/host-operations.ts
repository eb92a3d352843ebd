import * as t from '../../../core/codec/t.ts'
import { hostState } from '../../core/world/with-host.ts'
import { encodeBase64, encodeUtf8 } from '../../../core/bytes.ts'
import { operation, type Operation, type OperationSpec } from '../../../core/definition/operation.ts'
import { refuse, type Refusal } from '../../../core/definition/refuse.ts'
import { readPart } from '../../../core/log/parts.ts'

/** The refusals with which the bank of the golden logs answers the next attempts; after the last one it always pays. */
export type Bank = { readonly answers: Refusal[] }

export const isDown = refuse('UNAVAILABLE', 'the bank does not answer')
export const refusesToPay = refuse('RESOURCE_NOT_FOUND', 'there is no such account')

/** How long the engine waits before it tries a payment again. */
export const RESUME_AFTER_MS = 60_000

/**
 * The operations of a host that stand in the golden logs. An auditor of such a log needs them exactly as they were, so
 * they never change.
 */
export const hostOperations = (bank: Bank): readonly Operation[] => [
  operation(paying(bank)),
  mail,
  operation(quoting),
  enlist,
]

/** Keeps the types of a definition: so it can be changed as its author would change it. */
const spec = <I, R, C, P>(definition: OperationSpec<I, R, C, P>): OperationSpec<I, R, C, P> => definition

/** Has effects outside, and may be repeated. */
export const paying = (bank: Bank) =>
  spec({
    type: 'ACTIVITY_TYPE_PAY',
    path: 'pay',
    summary: 'Pays an amount.',
    resource: 'PAYMENT',
    action: 'CREATE',
    intent: t.fields({ payee: t.string, cents: t.number }),
    result: t.fields({ receipt: t.string }),
    change: t.fields({ payee: t.string, cents: t.number, receipt: t.string }),
    params: ({ payee, cents }) => ({ payee, cents }),
    perform: {
      outside: true,
      resumeAfterMs: RESUME_AFTER_MS,
      attemptsMax: 3,
      whenInterrupted: 'retry',
      performed: t.fields({ receipt: t.string }),
      run: ({ payee }, { attempt }) => {
        const refusal = bank.answers.shift()
        if (refusal !== undefined) throw refusal
        return { receipt: `${payee} ${attempt}` }
      },
    },
    execute: ({ payee, cents }, { performed: { receipt } }) => ({
      result: { receipt },
      change: { payee, cents, receipt },
    }),
    evolve: (draft, { payee, cents, receipt }) => void hostState.in(draft).set(`payment ${receipt}`, { payee, cents }),
  })

/** Has effects outside that must not be repeated. */
export const mail = operation({
  type: 'ACTIVITY_TYPE_MAIL',
  path: 'mail',
  summary: 'Sends a letter.',
  resource: 'LETTER',
  action: 'CREATE',
  intent: t.fields({ to: t.string }),
  result: t.fields({}),
  change: t.fields({ to: t.string }),
  perform: {
    outside: true,
    resumeAfterMs: RESUME_AFTER_MS,
    attemptsMax: 1,
    whenInterrupted: 'fail',
    performed: t.fields({}),
    run: ({ to }, { signal }) =>
      to === 'nobody' ? new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(isDown))) : {},
  },
  execute: ({ to }) => ({ result: {}, change: { to } }),
  evolve: (draft, { to }) => void hostState.in(draft).set(`letter ${to}`, true),
})

/** Computes something before it is decided on; it has no effects outside. */
export const quoting = spec({
  type: 'ACTIVITY_TYPE_QUOTE',
  path: 'quote',
  summary: 'Asks for a price.',
  resource: 'QUOTE',
  action: 'CREATE',
  intent: t.fields({ item: t.string }),
  result: t.fields({ cents: t.number }),
  change: t.fields({ item: t.string, cents: t.number }),
  perform: {
    outside: false,
    resumeAfterMs: 0,
    attemptsMax: 1,
    whenInterrupted: 'fail',
    performed: t.fields({ cents: t.number }),
    run: ({ item }) => ({ cents: item.length * 100 }),
  },
  execute: ({ item }, { performed: { cents } }) => ({ result: { cents }, change: { item, cents } }),
  evolve: (draft, { item, cents }) => void hostState.in(draft).set(`price ${item}`, cents),
})

const Personal = t.fields({ name: t.string, email: t.string })

/** Keeps what is personal apart, one part for each person, and a bundle in its result. */
export const enlist = operation({
  type: 'ACTIVITY_TYPE_ENLIST',
  path: 'enlist',
  summary: 'Enlists persons.',
  resource: 'PERSON',
  action: 'CREATE',
  intent: t.fields({ persons: t.list(Personal) }),
  result: t.fields({ personIds: t.list(t.string) }),
  change: t.fields({ personIds: t.list(t.string) }),
  parts: ['personal', 'bundle'],
  execute: ({ persons }, { ids }) => {
    const personIds = persons.map(() => ids())
    const personal = Object.fromEntries(persons.map((person, index) => [`personal.${personIds[index]}`, person]))
    const bundle = encodeUtf8(`for ${personIds.length}`)
    return { result: { personIds }, change: { personIds }, parts: { ...personal, bundle } }
  },
  evolve: (draft, { personIds }, { parts }) => {
    for (const personId of personIds)
      hostState.in(draft).set(`person ${personId}`, {
        personId,
        ...readPart(parts, `personal.${personId}`, Personal),
      })
  },
  encodeResult: ({ personIds }, parts) => {
    const bundle = parts.get('bundle')
    return { personIds, bundle: bundle instanceof Uint8Array ? encodeBase64(bundle) : null }
  },
})
