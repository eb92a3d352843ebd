import { createPrivateKeys } from '../../../../core/resources/private-key/create-private-keys.ts'
import { deletePrivateKeys } from '../../../../core/resources/private-key/delete-private-keys.ts'
import { disablePrivateKey } from '../../../../core/resources/private-key/disable-private-key.ts'
import { exportPrivateKey } from '../../../../core/resources/private-key/export-private-key.ts'
import { getPrivateKey } from '../../../../core/resources/private-key/get-private-key.ts'
import { importPrivateKey } from '../../../../core/resources/private-key/import-private-key.ts'
import { initImportPrivateKey } from '../../../../core/resources/private-key/init-import-private-key.ts'
import { listPrivateKeys } from '../../../../core/resources/private-key/list-private-keys.ts'
import { createPrivateKeyTag } from '../../../../core/resources/private-key-tag/create-private-key-tag.ts'
import { borderClient, encryptedTo } from '../bundle/border.ts'
import { asking, AUDITED, example, NOBODY, ORGANIZATION, type Scene } from '../example.ts'

const valid = async ({ made, text }: Scene) => ({
  privateKeys: [
    {
      privateKeyName: text('privateKeyName'),
      curve: 'CURVE_SECP256K1',
      privateKeyTags: [(await made(createPrivateKeyTag)).privateKeyTagId],
      addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
    },
  ],
})

const keyIn = async ({ made }: Scene): Promise<string | undefined> =>
  (await made(createPrivateKeys)).privateKeys[0]?.privateKeyId

export const examples = [
  example(createPrivateKeys, {
    valid,
    older: { ACTIVITY_TYPE_CREATE_PRIVATE_KEYS: valid },
    refused: [{ privateKeys: [] }, 'REQUEST_INVALID'],
    shows: () => ({ privateKeys: undefined }),
  }),
  example(disablePrivateKey, {
    valid: async (scene) => ({ privateKeyId: await keyIn(scene) }),
    refused: [{ privateKeyId: NOBODY }, 'RESOURCE_NOT_FOUND'],
  }),
  example(initImportPrivateKey, {
    valid: ({ root }) => ({ userId: root }),
    refused: [{ userId: NOBODY }, 'RESOURCE_NOT_FOUND'],
  }),
  example(importPrivateKey, {
    valid: async (scene) => {
      const { importBundle } = await scene.made(initImportPrivateKey)
      return {
        userId: scene.root,
        privateKeyName: scene.text('privateKeyName'),
        encryptedBundle: await scene.border.encryptedTo(importBundle, crypto.getRandomValues(new Uint8Array(32))),
        curve: 'CURVE_ED25519',
        addressFormats: ['ADDRESS_FORMAT_SOLANA'],
      }
    },
    refused: [
      async (scene) => {
        const { importBundle } = await scene.made(initImportPrivateKey)
        const encryptedBundle = await encryptedTo(importBundle, new Uint8Array(32))
        const form = { curve: 'CURVE_SECP256K1', addressFormats: [] }
        return { userId: scene.root, privateKeyName: 'zero', encryptedBundle, ...form }
      },
      'REQUEST_INVALID',
    ],
  }),
  example(exportPrivateKey, {
    valid: async (scene) => ({ privateKeyId: await keyIn(scene), targetPublicKey: scene.border.targetPublicKey() }),
    refused: [() => ({ privateKeyId: NOBODY, targetPublicKey: borderClient().publicKey }), 'RESOURCE_NOT_FOUND'],
  }),
  example(deletePrivateKeys, {
    valid: async (scene) => ({ privateKeyIds: [await keyIn(scene)], deleteWithoutExport: true }),
    refused: [{ privateKeyIds: [NOBODY], deleteWithoutExport: true }, 'RESOURCE_NOT_FOUND'],
  }),
  asking(getPrivateKey, async (scene) => {
    const privateKeyId = await keyIn(scene)
    return { request: { privateKeyId }, shows: { privateKey: { privateKeyId } } }
  }),
  asking(listPrivateKeys, async (scene) => ({
    request: {},
    shows: { privateKeys: [{ privateKeyId: await keyIn(scene) }] },
  })),
]

export const texts = { privateKeyName: ORGANIZATION, shownPublicKey: AUDITED }
