// The message names 'note'.
import { operation, t } from 'countersign'

const Line = t.fields({ cents: t.number })

export const book = operation({
  type: 'ACTIVITY_TYPE_BOOK',
  path: 'book',
  summary: 'Books lines.',
  intent: t.fields({ lines: t.array(Line) }),
  result: t.fields({}),
  change: t.fields({ lines: t.array(Line) }),
  execute: ({ lines }) => ({ result: {}, change: { lines: lines.map(({ cents }) => ({ cents, note: '' })) } }),
  evolve: () => undefined,
})
