// The message names 'text'.
import { operation, state, t } from 'countersign'

const mottos = state({ name: 'mottos', version: 1, codec: t.fields({ text: t.string }), initial: () => ({ text: '' }) })

export const setMotto = operation({
  type: 'ACTIVITY_TYPE_SET_MOTTO',
  path: 'set_motto',
  summary: 'Sets the motto.',
  intent: t.fields({ motto: t.Label }),
  result: t.fields({ length: t.number }),
  change: t.fields({ motto: t.string }, { author: t.string }),
  execute: ({ motto }) => ({ result: { length: 1 }, change: { motto } }),
  evolve: (draft, { text }) => {
    mottos.in(draft).text = text
  },
})
