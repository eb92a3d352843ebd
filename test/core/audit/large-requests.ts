import * as t from '../../../core/codec/t.ts'
import { operation } from '../../../core/definition/operation.ts'

/** A host's operation whose requests may be as long as bodies may be. */
export const keepText = operation({
  type: 'ACTIVITY_TYPE_KEEP_TEXT',
  path: 'keep_text',
  summary: 'Keeps a text.',
  resource: 'TEXT',
  action: 'CREATE',
  intent: t.fields({ lines: t.array(t.string) }),
  result: t.fields({}),
  change: t.fields({ lines: t.number }),
  execute: ({ lines }) => ({ result: {}, change: { lines: lines.length } }),
  evolve: () => undefined,
})
