// The message stands at ''at once''.
import { createEngine, operation, port, resource, t } from 'countersign'
import { memoryStore } from 'countersign/store-memory'

type Notary = { readonly stamp: (text: string) => Promise<string> }

const notarize = operation({
  type: 'ACTIVITY_TYPE_NOTARIZE',
  path: 'notarize',
  summary: 'Has a text notarized.',
  intent: t.fields({ text: t.string }),
  result: t.fields({ receipt: t.string }),
  change: t.fields({ receipt: t.string }),
  perform: {
    outside: true,
    needs: { notary: port<Notary>() },
    resumeAfterMs: 1_000,
    attemptsMax: 5,
    whenInterrupted: 'retry',
    performed: t.fields({ receipt: t.string }),
    run: async ({ text }, { ports }) => ({ receipt: await ports.notary.stamp(text) }),
  },
  execute: (_, { performed: { receipt } }) => ({ result: { receipt }, change: { receipt } }),
  evolve: () => undefined,
})

const resources = [resource({ name: 'receipts', operations: [notarize] })] as const

export const engine = createEngine({ store: memoryStore(), resources, ports: { notary: { stamp: () => 'at once' } } })
