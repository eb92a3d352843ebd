// The message names 'text'.
import { E, fields, Label, operation, state, t } from 'countersign'

const mottos = state({ name: 'mottos', version: 1, codec: fields({ text: t.string }), initial: () => ({ text: '' }) })

export const setMotto = operation({
  type: 'ACTIVITY_TYPE_SET_MOTTO',
  path: 'set_motto',
  summary: 'Sets the motto.',
  intent: fields({ motto: Label }),
  result: fields({ length: t.number }),
  change: fields({ motto: t.string }, { author: t.string }),
  execute: ({ motto }, { organization }) => {
    mottos.of(organization).text = motto
    return E.right({ result: { length: 1 }, change: { motto } })
  },
  evolve: () => undefined,
})
