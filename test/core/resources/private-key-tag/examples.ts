import { createPrivateKeys } from '../../../../core/resources/private-key/create-private-keys.ts'
import { createPrivateKeyTag } from '../../../../core/resources/private-key-tag/create-private-key-tag.ts'
import { deletePrivateKeyTags } from '../../../../core/resources/private-key-tag/delete-private-key-tags.ts'
import { listPrivateKeyTags } from '../../../../core/resources/private-key-tag/list-private-key-tags.ts'
import { updatePrivateKeyTag } from '../../../../core/resources/private-key-tag/update-private-key-tag.ts'
import { asking, example, NOBODY, ORGANIZATION } from '../example.ts'

export const examples = [
  example(createPrivateKeyTag, {
    valid: ({ text }) => ({ privateKeyTagName: text('privateKeyTagName'), privateKeyIds: [] }),
    refused: [{ privateKeyTagName: '', privateKeyIds: [] }, 'REQUEST_INVALID'],
  }),
  example(updatePrivateKeyTag, {
    valid: async ({ made, text }) => ({
      privateKeyTagId: (await made(createPrivateKeyTag)).privateKeyTagId,
      newPrivateKeyTagName: text('newPrivateKeyTagName'),
      addPrivateKeyIds: [(await made(createPrivateKeys)).privateKeys[0]?.privateKeyId],
      removePrivateKeyIds: [],
    }),
    refused: [{ privateKeyTagId: NOBODY, addPrivateKeyIds: [], removePrivateKeyIds: [] }, 'RESOURCE_NOT_FOUND'],
  }),
  example(deletePrivateKeyTags, {
    valid: async ({ made }) => ({ privateKeyTagIds: [(await made(createPrivateKeyTag)).privateKeyTagId] }),
    refused: [{ privateKeyTagIds: [NOBODY] }, 'RESOURCE_NOT_FOUND'],
  }),
  asking(listPrivateKeyTags, async ({ made }) => ({
    request: {},
    shows: { privateKeyTags: [{ tagId: (await made(createPrivateKeyTag)).privateKeyTagId }] },
  })),
]

export const texts = { privateKeyTagName: ORGANIZATION }
