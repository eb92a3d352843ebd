// The message names 'recource'.
import { operation, t } from 'countersign'

export const setMotto = operation({
  type: 'ACTIVITY_TYPE_SET_MOTTO',
  path: 'set_motto',
  summary: 'Sets the motto.',
  intent: t.fields({ motto: t.Label }),
  result: t.fields({ length: t.number }),
  change: t.fields({ motto: t.string }, { author: t.string }),
  recource: 'MOTTO',
  execute: ({ motto }) => ({ result: { length: 1 }, change: { motto } }),
  evolve: () => undefined,
})
