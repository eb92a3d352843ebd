import * as t from '../../codec/t.ts'
import { decodes, operation } from '../../definition/operation.ts'
import { insideWork, needsKeyring } from '../inside-work.ts'
import { areKeysOf } from '../wallet/new-wallet.ts'
import { makePrivateKeys, newPrivateKeys, PrivateKeysIntent, privateKeysToMake } from './new-private-keys.ts'
import { addPrivateKey, createdOf, CreatedPrivateKey, NewPrivateKey } from './private-keys.ts'

export const createPrivateKeys = operation({
  type: 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2',
  path: 'create_private_keys',
  summary: 'Makes private keys, with addresses.',
  resource: 'PRIVATE_KEY',
  action: 'CREATE',
  intent: PrivateKeysIntent,
  result: t.fields({ privateKeys: t.array(CreatedPrivateKey) }),
  resultName: 'createPrivateKeysResultV2',
  change: t.fields({ privateKeys: t.array(NewPrivateKey) }),
  versions: [
    {
      type: 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS',
      resultName: 'createPrivateKeysResult',
      ...decodes(PrivateKeysIntent, (intent) => intent),
      encodeResult: ({ privateKeys }) => ({ privateKeyIds: privateKeys.map(({ privateKeyId }) => privateKeyId) }),
    },
  ],

  check: privateKeysToMake,
  perform: {
    ...insideWork,
    ...needsKeyring,
    performed: t.fields({ publicKeys: t.array(t.string) }),
    run: async (toMake, { ports }) => ({ publicKeys: await makePrivateKeys(ports.keyring, toMake) }),
  },
  addresses: (_, result) =>
    result.privateKeys.flatMap(({ addresses }) => addresses.map(({ address }) => ({ address }))),
  verify: async ({ publicKeys }, _, { keys }) => areKeysOf(publicKeys, keys),

  execute: (intent, context) => {
    const privateKeys = newPrivateKeys(intent, context.performed.publicKeys, context)
    return { result: { privateKeys: privateKeys.map(createdOf) }, change: { privateKeys } }
  },

  evolve: (draft, { privateKeys }, { atMs }) => {
    for (const key of privateKeys) addPrivateKey(draft, key, atMs)
  },
})
