// The message names 'ports'.
import { createEngine, operation, port, resource, t } from 'countersign'
import { memoryStore } from 'countersign/store-memory'

type Rates = { readonly of: (currency: string) => number }

const convert = operation({
  type: 'ACTIVITY_TYPE_CONVERT',
  path: 'convert',
  summary: 'Converts an amount.',
  intent: t.fields({ cents: t.number }),
  result: t.fields({ cents: t.number }),
  change: t.fields({}),
  inspectNeeds: { rates: port<Rates>() },
  inspect: ({ cents }, { ports }) => cents * ports.rates.of('EUR'),
  execute: (_, { inspected }) => ({ result: { cents: inspected }, change: {} }),
  evolve: () => undefined,
})

const resources = [resource({ name: 'amounts', operations: [convert] })] as const

export const engine = createEngine({ store: memoryStore(), resources })
