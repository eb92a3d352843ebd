import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { privateKeyView, PrivateKeyView } from './private-key-view.ts'
import { privateKeys } from './private-keys.ts'

export const getPrivateKey = query({
  path: 'get_private_key',
  summary: 'Shows a private key: what is public of it.',
  request: t.fields({ organizationId: t.Uuid, privateKeyId: t.Uuid }),
  answer: t.fields({ privateKey: PrivateKeyView }),
  run: ({ privateKeyId }, { find }) => ({
    privateKey: privateKeyView(find('private key', privateKeys, privateKeyId)),
  }),
})
