// The message names 'motto'.
import { E, fields, Label, operation, t } from 'countersign'

export const setMotto = operation({
  type: 'ACTIVITY_TYPE_SET_MOTTO',
  path: 'set_motto',
  summary: 'Sets the motto.',
  intent: fields({ motto: Label }),
  result: fields({ length: t.number }),
  change: fields({ motto: t.string }, { author: t.string }),
  execute: ({ motto }) => E.right({ result: { length: motto.length }, change: {} }),
  evolve: () => undefined,
})
