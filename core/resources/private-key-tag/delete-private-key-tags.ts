import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { privateKeyTagging } from './private-key-tagging.ts'

const Deleted = t.fields({ privateKeyTagIds: t.array(t.string), privateKeyIds: t.array(t.string) })

export const deletePrivateKeyTags = operation({
  type: 'ACTIVITY_TYPE_DELETE_PRIVATE_KEY_TAGS',
  path: 'delete_private_key_tags',
  summary: 'Deletes tags, and takes them from all private keys that had them.',
  resource: 'PRIVATE_KEY',
  action: 'DELETE',
  intent: t.fields({ privateKeyTagIds: t.SomeUuids }),
  result: Deleted,
  change: Deleted,

  execute: ({ privateKeyTagIds }, context) => {
    const deleted = { privateKeyTagIds, privateKeyIds: privateKeyTagging.having(privateKeyTagIds, context) }
    return { result: deleted, change: deleted }
  },

  evolve: (draft, { privateKeyTagIds, privateKeyIds }, { atMs }) =>
    privateKeyTagging.deleted(draft, privateKeyTagIds, privateKeyIds, atMs),
})
