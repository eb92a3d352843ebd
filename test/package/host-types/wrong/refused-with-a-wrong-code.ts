// The message names 'REQUEST_INVALD'.
import { operation, refuse, t } from 'countersign'

export const setMotto = operation({
  type: 'ACTIVITY_TYPE_SET_MOTTO',
  path: 'set_motto',
  summary: 'Sets the motto.',
  intent: t.fields({ motto: t.Label }),
  result: t.fields({ length: t.number, words: t.number }),
  change: t.fields({ motto: t.string }, { author: t.string }),
  execute: ({ motto }) => {
    if (motto === '') throw refuse('REQUEST_INVALD', 'expected a motto')
    return { result: { length: 1, words: 1 }, change: { motto } }
  },
  evolve: () => undefined,
})
