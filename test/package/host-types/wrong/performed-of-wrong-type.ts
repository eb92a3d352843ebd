// The message names 'receipt'.
import { operation, port, t } from 'countersign'

type Notary = { readonly stamp: (text: string) => Promise<string> }

export const notarize = operation({
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
    run: async ({ text }) => ({ receipt: text.length }),
  },
  execute: (_, { performed: { receipt } }) => ({ result: { receipt }, change: { receipt } }),
  evolve: () => undefined,
})
