import * as t from '../../../core/codec/t.ts'
import { hostState } from '../world/with-host.ts'
import { decodes, operation } from '../../../core/definition/operation.ts'
import { completed, projection } from '../../../core/definition/projection.ts'
import { query } from '../../../core/definition/query.ts'
import { refuse } from '../../../core/definition/refuse.ts'

/** Where the code of a host runs in the engine. */
export const PLACES = [
  'decode',
  'decodeIntent',
  'encode',
  'params',
  'isOwnCredentials',
  'check',
  'run',
  'execute',
  'change',
  'result',
  'encodeResult',
  'evolve',
  'state',
  'project',
  'answer',
] as const
export type Place = (typeof PLACES)[number]

const long = Array.from({ length: 200_000 }, () => ({ _tag: 'put' }))
const cyclic: { self?: unknown } = {}
cyclic.self = cyclic
/** The mark of refusals. */
const REFUSAL = Symbol.for('countersign.refusal')
const never = (): never => {
  throw new Error('secret')
}

/** What such code can do that no type of ours allows. */
export const DEEDS: Readonly<Record<string, () => unknown>> = {
  'throws an error': () => {
    throw new TypeError('https://secret@host')
  },
  'throws an error that looks like none': () => {
    throw Object.assign(new Error('secret'), { name: { toString: 1 }, stack: 42 })
  },
  'throws what is no error': () => {
    throw { toString: 'nothing' } // oxlint-disable-line no-throw-literal only-throw-error -- hosts do that
  },
  'gives undefined': () => undefined,
  'gives null': () => null,
  'gives a number': () => 42,
  'gives an empty object': () => ({}),
  'gives a promise that rejects': () => Promise.reject(new Error('nobody waits for this')),
  'gives a function that throws': () => () => {
    throw new Error('called')
  },
  'gives a task that rejects': () => async () => Promise.reject(new Error('rejected')),
  'gives a task of nothing': () => async () => undefined,
  'gives a promise of nothing': async () => undefined,
  'gives a promise of a refusal': async () => refuse('CONFLICT', 'no'),
  'gives a refusal': () => refuse('CONFLICT', 'no'),
  'throws a refusal': () => {
    throw refuse('CONFLICT', 'no')
  },
  'throws a refusal that is no failure': () => {
    throw Object.assign(refuse('CONFLICT', 'secret'), { code: 'NO_SUCH_CODE' })
  },
  'throws a refusal that another copy of the package made': () => {
    throw Object.assign(new Error('said'), { code: 'RESOURCE_NOT_FOUND', details: [], [REFUSAL]: true })
  },
  'throws a refusal without details': () => {
    throw Object.assign(new Error('said'), { code: 'RESOURCE_NOT_FOUND', [REFUSAL]: true })
  },
  'throws a refusal that throws': () => {
    throw Object.defineProperty(refuse('CONFLICT', 'secret'), 'code', { get: () => never() })
  },
  'throws a refusal that holds itself': () => {
    throw Object.assign(refuse('CONFLICT', 'no'), { details: [cyclic] })
  },
  'gives a failure as functions gave it once': () => ({ _tag: 'Left', left: { code: 'CONFLICT', message: 'no' } }),
  'gives a value as functions gave it once': () => ({ _tag: 'Right', right: { result: {}, change: {} } }),
  'gives a value that holds itself': () => cyclic,
  'gives a result that is no JSON': () => ({ result: { value: 1n }, change: { value: cyclic } }),
  'gives a list of nothing': () => [undefined],
  'gives a long list of no changes': () => long,
}

/** Anything, as it is. */
const free: t.Type<unknown, unknown, unknown> = new t.Type(
  'anything',
  (_): _ is unknown => true,
  t.success,
  (a) => a,
)

/** What a host adds to an engine: all of it behaves, but for the code at one place, where a text names a deed. */
export const hostile = (place: Place, outside: boolean) => {
  // What a deed gives stands for any type: a host without our compiler can give it.
  const at = <A>(here: Place, text: unknown, well: () => A): A => {
    const deed = here === place && typeof text === 'string' ? DEEDS[text] : undefined
    return deed === undefined ? well() : (deed() as A)
  }
  const Value = place === 'change' || place === 'result' ? free : t.string
  const Text: t.Type<string, unknown, unknown> = new t.Type(
    'a text',
    t.string.is,
    (u, context) => at('decode', u, () => t.string.validate(u, context)),
    (text) => at('encode', text, () => text),
  )
  const Intent = t.fields({ text: Text })
  const intentOf = decodes(Intent, (intent) => intent)
  const textOf = (parameters: unknown): unknown => (parameters as { readonly text: unknown }).text // of the test's own request
  const perform = {
    outside,
    resumeAfterMs: 1_000,
    attemptsMax: 2,
    whenInterrupted: 'retry' as const,
    performed: t.fields({ receipt: Text }),
    run: ({ text }: { readonly text: string }) => at('run', text, () => ({ receipt: text })),
  }
  const trouble = operation({
    type: 'ACTIVITY_TYPE_MAKE_TROUBLE_V2',
    path: 'make_trouble',
    summary: 'Does a deed.',
    resource: 'TROUBLE',
    action: 'CREATE',
    intent: Intent,
    result: t.fields({ value: Value }),
    change: t.fields({ value: Value }),
    versions: [
      {
        type: 'ACTIVITY_TYPE_MAKE_TROUBLE',
        codec: Intent,
        decodeIntent: (parameters) => at('decodeIntent', textOf(parameters), () => intentOf.decodeIntent(parameters)),
        encodeResult: (result) => at('encodeResult', result.value, () => ({ value: String(result.value) })),
      },
    ],
    params: ({ text }) => at('params', text, () => ({ text })),
    isOwnCredentials: ({ text }) => at('isOwnCredentials', text, () => false),
    check: ({ text }) => at('check', text, () => ({ text })),
    ...(place === 'run' || place === 'check' || outside ? { perform } : {}),
    execute: ({ text }) =>
      at('execute', text, () => ({
        result: { value: at('result', text, (): unknown => text) },
        change: { value: at('change', text, (): unknown => text) },
      })),
    evolve: (draft, { value }) => {
      hostState.in(draft).set(
        'trouble',
        at('state', value, () => null),
      )
      return at('evolve', value, () => undefined)
    },
  })
  const troubles = projection({
    name: 'troubles',
    version: 1,
    on: [completed(trouble, ({ value }) => at('project', value, () => []))],
  })
  const tellTrouble = query({
    path: 'tell_trouble',
    summary: 'Tells of trouble.',
    request: t.fields({ organizationId: t.string, text: t.string }),
    answer: t.fields({}),
    run: ({ text }) => at('answer', text, () => ({})),
  })
  return { operations: [trouble], projections: [troubles], queries: [tellTrouble] }
}
