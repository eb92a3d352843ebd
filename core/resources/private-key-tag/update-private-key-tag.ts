import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { notBoth } from '../tag/tagging.ts'
import { privateKeyTagging } from './private-key-tagging.ts'

export const updatePrivateKeyTag = operation({
  type: 'ACTIVITY_TYPE_UPDATE_PRIVATE_KEY_TAG',
  path: 'update_private_key_tag',
  summary: "Changes a tag's name, gives it to private keys and takes it from others.",
  resource: 'PRIVATE_KEY',
  action: 'UPDATE',
  intent: t.fields(
    { privateKeyTagId: t.Uuid, addPrivateKeyIds: t.Uuids, removePrivateKeyIds: t.Uuids },
    { newPrivateKeyTagName: t.LabelOrEmpty },
    ({ addPrivateKeyIds, removePrivateKeyIds }) =>
      notBoth('removePrivateKeyIds', 'private key that', addPrivateKeyIds, removePrivateKeyIds),
  ),
  result: t.fields({ privateKeyTagId: t.string }),
  change: t.fields(
    { privateKeyTagId: t.string, addPrivateKeyIds: t.array(t.string), removePrivateKeyIds: t.array(t.string) },
    { privateKeyTagName: t.string },
  ),

  execute: ({ privateKeyTagId, addPrivateKeyIds, removePrivateKeyIds, newPrivateKeyTagName }, context) => {
    const privateKeyTagName = newPrivateKeyTagName || undefined
    const ids = [...addPrivateKeyIds, ...removePrivateKeyIds]
    const tag = { tagId: privateKeyTagId, tagName: privateKeyTagName, ids }
    privateKeyTagging.checkUpdate('newPrivateKeyTagName', tag, context)
    const change = { privateKeyTagId, addPrivateKeyIds, removePrivateKeyIds, privateKeyTagName }
    return { result: { privateKeyTagId }, change }
  },

  evolve: (draft, { privateKeyTagId, privateKeyTagName, addPrivateKeyIds, removePrivateKeyIds }, { atMs }) => {
    const things = { added: addPrivateKeyIds, removed: removePrivateKeyIds }
    privateKeyTagging.updated(draft, { tagId: privateKeyTagId, tagName: privateKeyTagName, ...things }, atMs)
  },
})
