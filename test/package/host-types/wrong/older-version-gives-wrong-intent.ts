// The message names 'motto'.
import { operation, t } from 'countersign'
import { decodes } from 'countersign/define'

export const setMotto = operation({
  type: 'ACTIVITY_TYPE_SET_MOTTO',
  path: 'set_motto',
  summary: 'Sets the motto.',
  intent: t.fields({ motto: t.Label }),
  result: t.fields({ length: t.number }),
  change: t.fields({ motto: t.string }, { author: t.string }),
  versions: [
    {
      type: 'ACTIVITY_TYPE_SET_MOTTO_V0',
      ...decodes(t.fields({ text: t.Label }), ({ text }) => ({ text })),
    },
  ],
  execute: ({ motto }) => ({ result: { length: 1 }, change: { motto } }),
  evolve: () => undefined,
})
