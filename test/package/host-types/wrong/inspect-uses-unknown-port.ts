// The message names 'rate'.
import { operation, port, t } from 'countersign'

type Rates = { readonly of: (currency: string) => number }

export const convert = operation({
  type: 'ACTIVITY_TYPE_CONVERT',
  path: 'convert',
  summary: 'Converts an amount.',
  intent: t.fields({ cents: t.number }),
  result: t.fields({ cents: t.number }),
  change: t.fields({}),
  inspectNeeds: { rates: port<Rates>() },
  inspect: ({ cents }, { ports }) => cents * ports.rate.of('EUR'),
  execute: (_, { inspected }) => ({ result: { cents: inspected }, change: {} }),
  evolve: () => undefined,
})
