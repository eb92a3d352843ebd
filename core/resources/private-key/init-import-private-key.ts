import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { users } from '../../organization/users.ts'
import { beginsImport } from '../bundle/begins-import.ts'
import { Bundle, forRequester, shownBundle } from '../bundle/bundle-for.ts'

const { toBegin, begun, ...begins } = beginsImport('private-key')

export const initImportPrivateKey = operation({
  type: 'ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY',
  path: 'init_import_private_key',
  summary: 'Gives a user a key to which a client encrypts a private key.',
  resource: 'PRIVATE_KEY',
  intent: t.fields({ userId: t.Uuid }),
  result: t.fields({ ...forRequester, importBundle: Bundle }),
  ...begins,

  check: ({ userId }, context) => {
    context.find('user', users, userId)
    return toBegin(context, userId)
  },

  execute: ({ userId }, context) => {
    const { requesterId, bundles } = context.performed
    return { result: { requesterId, importBundle: bundles[0] ?? '' }, change: begun(userId, context) }
  },

  encodeResult: ({ importBundle }) => ({ importBundle: shownBundle(importBundle) }),
})
