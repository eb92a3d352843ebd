// The message names 'change.length'.
import { E, fields, Label, operation, pipe, t } from 'countersign'

export const setMotto = operation({
  type: 'ACTIVITY_TYPE_SET_MOTTO',
  path: 'set_motto',
  summary: 'Sets the motto.',
  intent: fields({ motto: Label }),
  result: fields({ length: t.number }),
  change: fields({ motto: t.string }, { author: t.string }),
  execute: ({ motto }) =>
    pipe(
      E.right(motto.length),
      E.map((length) => ({ result: { length }, change: { motto, length } })),
    ),
  evolve: () => undefined,
})
