import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { tagsMax } from '../tag/tagging.ts'
import { privateKeyTagLimits } from './private-key-tag-limits.ts'
import { privateKeyTagging } from './private-key-tagging.ts'

export const createPrivateKeyTag = operation({
  type: 'ACTIVITY_TYPE_CREATE_PRIVATE_KEY_TAG',
  path: 'create_private_key_tag',
  summary: 'Creates a tag and gives it to private keys.',
  resource: 'PRIVATE_KEY',
  action: 'CREATE',
  intent: t.fields({ privateKeyTagName: t.Label, privateKeyIds: t.Uuids }),
  result: t.fields({ privateKeyTagId: t.string, privateKeyIds: t.array(t.string) }),
  change: t.fields({ privateKeyTagId: t.string, privateKeyTagName: t.string, privateKeyIds: t.array(t.string) }),

  execute: ({ privateKeyTagName, privateKeyIds }, context) => {
    const countMax = tagsMax(context.organization, privateKeyTagLimits.of(context).privateKeyTags)
    const tag = { tagName: privateKeyTagName, ids: privateKeyIds, countMax }
    const privateKeyTagId = privateKeyTagging.create('privateKeyTagName', tag, context)
    return { result: { privateKeyTagId, privateKeyIds }, change: { privateKeyTagId, privateKeyTagName, privateKeyIds } }
  },

  evolve: (draft, { privateKeyTagId, privateKeyTagName, privateKeyIds }, { atMs }) =>
    privateKeyTagging.created(draft, privateKeyTagId, privateKeyTagName, privateKeyIds, atMs),
})
