// The message stands at 'result'.
import { operation, t } from 'countersign'

export const setMotto = operation({
  type: 'ACTIVITY_TYPE_SET_MOTTO',
  path: 'set_motto',
  summary: 'Sets the motto.',
  intent: t.fields({ motto: t.Label }),
  result: t.fields({ length: t.number, words: t.number }),
  change: t.fields({ motto: t.string }, { author: t.string }),
  execute: ({ motto }) => ({ result: {}, change: { motto } }),
  evolve: () => undefined,
})
