import { deleteSecrets } from '../../../../core/resources/secret/delete-secrets.ts'
import { exportSecrets } from '../../../../core/resources/secret/export-secrets.ts'
import { importSecrets } from '../../../../core/resources/secret/import-secrets.ts'
import { initImportSecrets } from '../../../../core/resources/secret/init-import-secrets.ts'
import { listSecrets } from '../../../../core/resources/secret/list-secrets.ts'
import { borderClient, encryptedTo } from '../bundle/border.ts'
import { asking, example, NOBODY, ORGANIZATION, PERSONAL, type Scene } from '../example.ts'

const encryptionSuite = 'TRANSPORT_ENCRYPTION_SUITE_ENCLAVE_ENCRYPT_V1'

const secretIn = async ({ made }: Scene): Promise<string | undefined> => (await made(importSecrets)).secretIds[0]

export const examples = [
  example(initImportSecrets, {
    valid: () => ({ encryptionSuite, numSecrets: 1 }),
    refused: [{ encryptionSuite, numSecrets: 101 }, 'REQUEST_INVALID'],
  }),
  example(importSecrets, {
    valid: async (scene) => {
      const [bundle = ''] = (await scene.made(initImportSecrets)).enclaveTargetMessages
      return {
        secrets: [
          {
            name: scene.text('name'),
            secretPayload: await scene.border.encryptedTo(bundle, 'the secret'),
            targetPublicKey: scene.border.targetIn(bundle),
            encryptionSuite,
            staticProperties: [{ key: scene.text('key'), value: scene.text('value') }],
          },
        ],
      }
    },
    refused: [
      async (scene) => {
        const [bundle = ''] = (await scene.made(initImportSecrets)).enclaveTargetMessages
        const targetPublicKey = borderClient().publicKey
        const secretPayload = await encryptedTo(bundle, 'the secret')
        return { secrets: [{ secretPayload, targetPublicKey, encryptionSuite }] }
      },
      'REQUEST_INVALID',
    ],
  }),
  example(exportSecrets, {
    valid: async (scene) => ({
      secrets: [
        {
          secretId: await secretIn(scene),
          targetPublicKey: scene.border.targetPublicKey(),
          encryptionSuite,
          requestContext: [{ key: scene.text('key'), value: scene.text('value') }],
        },
      ],
    }),
    refused: [
      () => ({ secrets: [{ secretId: NOBODY, targetPublicKey: borderClient().publicKey, encryptionSuite }] }),
      'RESOURCE_NOT_FOUND',
    ],
  }),
  example(deleteSecrets, {
    valid: async (scene) => ({ secretIds: [await secretIn(scene)] }),
    refused: [{ secretIds: [NOBODY] }, 'RESOURCE_NOT_FOUND'],
  }),
  asking(listSecrets, async (scene) => ({
    request: { paginationOptions: { limit: '1' } },
    shows: { secrets: [{ secretId: await secretIn(scene) }] },
  })),
]

export const texts = {
  key: ORGANIZATION,
  value: ORGANIZATION,
  enclaveTargetMessages: PERSONAL,
  secretPayloads: PERSONAL,
}
