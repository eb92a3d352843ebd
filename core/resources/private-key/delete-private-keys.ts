import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { checkExported, destroysKeys } from '../wallet/destroys.ts'
import { privateKeys, removePrivateKey } from './private-keys.ts'

const Deleted = t.fields({ privateKeyIds: t.array(t.string) })

export const deletePrivateKeys = operation({
  type: 'ACTIVITY_TYPE_DELETE_PRIVATE_KEYS',
  path: 'delete_private_keys',
  summary: 'Destroys private keys, for good.',
  resource: 'PRIVATE_KEY',
  action: 'DELETE',
  intent: t.fields({ privateKeyIds: t.SomeUuids }, { deleteWithoutExport: t.boolean }),
  result: Deleted,
  change: Deleted,

  check: ({ privateKeyIds, deleteWithoutExport }, { organization: { organizationId }, findAll, attempt }) => {
    if (attempt === 1)
      checkExported(findAll('private key', privateKeys, privateKeyIds), deleteWithoutExport, 'private key')
    return { organizationId, keyIds: privateKeyIds }
  },
  perform: destroysKeys,

  execute: ({ privateKeyIds }) => ({ result: { privateKeyIds }, change: { privateKeyIds } }),

  evolve: (draft, { privateKeyIds }) => {
    for (const id of privateKeyIds) removePrivateKey(draft, id)
  },
})
