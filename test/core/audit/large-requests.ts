import * as t from 'io-ts'
import { fields } from '../../../core/codec/fields.ts'
import { operation } from '../../../core/definition/operation.ts'
import { E } from '../../../core/prelude.ts'

/** A host's operation whose requests may be as long as bodies may be. */
export const keepText = operation({
  type: 'ACTIVITY_TYPE_KEEP_TEXT',
  path: 'keep_text',
  summary: 'Keeps a text.',
  resource: 'TEXT',
  action: 'CREATE',
  intent: fields({ lines: t.array(t.string) }),
  result: fields({}),
  change: fields({ lines: t.number }),
  execute: ({ lines }) => E.right({ result: {}, change: { lines: lines.length } }),
  evolve: () => undefined,
})
