import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { InOrganization } from '../in-organization.ts'
import { wholeList } from '../whole-list.ts'
import { privateKeyView, PrivateKeyView } from './private-key-view.ts'
import { privateKeys } from './private-keys.ts'

export const listPrivateKeys = query({
  path: 'list_private_keys',
  summary: 'Lists all private keys: what is public of them.',
  request: InOrganization,
  answer: t.fields({ privateKeys: t.readonlyArray(PrivateKeyView) }),
  run: (_, { organization }) => wholeList('privateKeys', privateKeys.of(organization), privateKeyView),
})
