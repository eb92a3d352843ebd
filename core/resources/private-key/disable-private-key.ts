import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { refuse } from '../../definition/refuse.ts'
import { privateKeys } from './private-keys.ts'

const Disabled = t.fields({ privateKeyId: t.Uuid })

/** It cannot be enabled again. */
export const disablePrivateKey = operation({
  type: 'ACTIVITY_TYPE_DISABLE_PRIVATE_KEY',
  path: 'disable_private_key',
  summary: 'Lets a private key sign nothing any more.',
  resource: 'PRIVATE_KEY',
  action: 'DELETE',
  intent: Disabled,
  result: Disabled,
  change: Disabled,

  execute: ({ privateKeyId }, { find }) => {
    if (find('private key', privateKeys, privateKeyId).isDisabled)
      throw refuse.field('privateKeyId', 'a private key that is not disabled')
    return { result: { privateKeyId }, change: { privateKeyId } }
  },

  evolve: (draft, { privateKeyId }, { atMs }) => {
    const found = privateKeys.in(draft).get(privateKeyId)
    if (found !== undefined) Object.assign(found, { isDisabled: true, updatedAtMs: atMs })
  },
})
