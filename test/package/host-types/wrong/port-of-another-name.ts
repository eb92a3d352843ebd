// The message names 'notary'.
import { createEngine, E, failure, fields, operation, port, resource, t, TE } from 'countersign'
import { memoryStore } from 'countersign/store-memory'

type Notary = { readonly stamp: (text: string) => Promise<string> }

const notarize = operation({
  type: 'ACTIVITY_TYPE_NOTARIZE',
  path: 'notarize',
  summary: 'Has a text notarized.',
  intent: fields({ text: t.string }),
  result: fields({ receipt: t.string }),
  change: fields({ receipt: t.string }),
  perform: {
    outside: true,
    needs: { notary: port<Notary>() },
    resumeAfterMs: 1_000,
    attemptsMax: 5,
    whenInterrupted: 'retry',
    performed: fields({ receipt: t.string }),
    run: ({ text }, { ports }) =>
      TE.tryCatch(
        async () => ({ receipt: await ports.notary.stamp(text) }),
        () => failure('UNAVAILABLE', 'the notary does not answer'),
      ),
  },
  execute: (_, { performed: { receipt } }) => E.right({ result: { receipt }, change: { receipt } }),
  evolve: () => undefined,
})

const resources = [resource({ name: 'receipts', operations: [notarize] })] as const

const notary: Notary = { stamp: async (text) => text }
export const engine = createEngine({ store: memoryStore(), resources, ports: { notari: notary } })
