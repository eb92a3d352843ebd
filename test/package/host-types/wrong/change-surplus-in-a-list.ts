// The message names 'note'.
import { E, fields, Label, operation, t } from 'countersign'

const Line = fields({ cents: t.number })

export const book = operation({
  type: 'ACTIVITY_TYPE_BOOK',
  path: 'book',
  summary: 'Books lines.',
  intent: fields({ lines: t.array(Line) }),
  result: fields({}),
  change: fields({ lines: t.array(Line) }),
  execute: ({ lines }) => E.right({ result: {}, change: { lines: lines.map(({ cents }) => ({ cents, note: '' })) } }),
  evolve: () => undefined,
})
