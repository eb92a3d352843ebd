// The message stands at 'words'.
import { operation, t } from 'countersign'

export const setMotto = operation({
  type: 'ACTIVITY_TYPE_SET_MOTTO',
  path: 'set_motto',
  summary: 'Sets the motto.',
  intent: t.fields({ motto: t.Label }),
  result: t.fields({ length: t.number }),
  change: t.fields({ motto: t.string }, { author: t.string }),
  execute: ({ motto }) => ({ result: { length: motto.length, words: 1 }, change: { motto } }),
  evolve: () => undefined,
})
