// The message names 'text'.
import { E, fields, Label, operation, t } from 'countersign'

export const setMotto = operation({
  type: 'ACTIVITY_TYPE_SET_MOTTO',
  path: 'set_motto',
  summary: 'Sets the motto.',
  intent: fields({ motto: Label }),
  result: fields({ length: t.number }),
  change: fields({ motto: t.string }, { author: t.string }),
  execute: ({ text }) => E.right({ result: { length: text.length }, change: { motto: text } }),
  evolve: () => undefined,
})
