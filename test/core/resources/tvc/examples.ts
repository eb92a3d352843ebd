import { createHash } from 'node:crypto'
import { createTvcApp } from '../../../../core/resources/tvc/create-tvc-app.ts'
import { createTvcDeployment } from '../../../../core/resources/tvc/create-tvc-deployment.ts'
import { createTvcManifestApprovals } from '../../../../core/resources/tvc/create-tvc-manifest-approvals.ts'
import { deleteTvcAppAndDeployments } from '../../../../core/resources/tvc/delete-tvc-app-and-deployments.ts'
import { deleteTvcDeployment } from '../../../../core/resources/tvc/delete-tvc-deployment.ts'
import { getAppStatus } from '../../../../core/resources/tvc/get-app-status.ts'
import { getTvcApp } from '../../../../core/resources/tvc/get-tvc-app.ts'
import { getTvcDeployment } from '../../../../core/resources/tvc/get-tvc-deployment.ts'
import { getTvcDeploymentDebugLogs } from '../../../../core/resources/tvc/get-tvc-deployment-debug-logs.ts'
import { getTvcQosVersions } from '../../../../core/resources/tvc/get-tvc-qos-versions.ts'
import { listTvcAppDeployments } from '../../../../core/resources/tvc/list-tvc-app-deployments.ts'
import { listTvcApps } from '../../../../core/resources/tvc/list-tvc-apps.ts'
import { restoreTvcDeployment } from '../../../../core/resources/tvc/restore-tvc-deployment.ts'
import { setTvcAppLiveDeployment } from '../../../../core/resources/tvc/set-tvc-app-live-deployment.ts'
import { asking, example, NOBODY, ORGANIZATION, type Scene } from '../example.ts'
import { onRampSecretOf as compactSecretOf } from '../on-ramp-credential/examples.ts'
import { qosKeySet, type QosKeySet } from './qos-key-set.ts'

const sha256 = (bytes: string | Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

/** The keys of all operators that examples have made, by their public keys: who approves a manifest has to sign. */
const keySets = new Map<string, QosKeySet>()

const anyPublicKey = ({ publicKey }: Scene): string => {
  const made = qosKeySet(sha256(publicKey()))
  keySets.set(made.publicKey, made)
  return made.publicKey
}

const operator = (scene: Scene) => ({ name: scene.text('name'), publicKey: anyPublicKey(scene) })

const app = (scene: Scene) => ({
  name: scene.text('name'),
  quorumPublicKey: anyPublicKey(scene),
  manifestSetId: undefined,
  manifestSetParams: {
    name: scene.text('name'),
    newOperators: [operator(scene), operator(scene)],
    existingOperatorIds: [],
    threshold: 1,
  },
  shareSetId: undefined,
  shareSetParams: {
    name: scene.text('name'),
    newOperators: [operator(scene), operator(scene)],
    existingOperatorIds: [],
    threshold: 2,
  },
  enableEgress: true,
})

const deployment = ({ text, publicKey }: Scene, appId: string) => ({
  appId,
  qosVersion: text('qosVersion'),
  pivotContainerImageUrl: text('pivotContainerImageUrl'),
  pivotPath: text('pivotPath'),
  pivotArgs: [text('pivotArgs')],
  expectedPivotDigest: sha256(publicKey()).toString('hex'),
  healthCheckType: 'TVC_HEALTH_CHECK_TYPE_HTTP',
  healthCheckPort: 3_000,
  publicIngressPort: 3_001,
  pivotContainerEncryptedPullSecret: compactSecretOf(publicKey()),
})

const madeApp = async ({ made }: Scene) => (await made(createTvcApp)).appId
const madeDeployment = async ({ made }: Scene) => ({ deploymentId: (await made(createTvcDeployment)).deploymentId })
const nobody = { deploymentId: NOBODY }

/** Approved by the first operator of its manifest set who has not done so. */
const approvals = async (scene: Scene) => {
  const { tvcDeployment } = await scene.asked(getTvcDeployment, await madeDeployment(scene))
  const { manifest, manifestSet, manifestApprovals } = tvcDeployment
  const before = manifestApprovals.map((one) => one.operator.id)
  const next = manifestSet.operators.find(({ id }) => !before.includes(id))
  const hash = sha256(Buffer.from(manifest.manifest, 'base64'))
  const signature = keySets.get(next?.publicKey ?? '')?.sign(hash) ?? '00'.repeat(64)
  return { manifestId: manifest.id, approvals: [{ operatorId: next?.id ?? NOBODY, signature }] }
}

/** One approval is enough for the apps of examples, and makes the first deployment live. */
const live = async ({ made, asked }: Scene) => {
  await made(createTvcManifestApprovals)
  const { tvcApps } = await asked(listTvcApps)
  return { deploymentId: tvcApps.findLast((one) => one.liveDeploymentId !== undefined)?.liveDeploymentId ?? NOBODY }
}

export const examples = [
  example(createTvcApp, {
    valid: app,
    refused: [(scene) => ({ ...app(scene), manifestSetId: NOBODY }), 'REQUEST_INVALID'],
    shows: () => ({ manifestSetThreshold: 1, shareSetThreshold: 2 }),
  }),
  example(createTvcDeployment, {
    valid: async (scene) => deployment(scene, await madeApp(scene)),
    refused: [(scene) => deployment(scene, NOBODY), 'RESOURCE_NOT_FOUND'],
  }),
  example(createTvcManifestApprovals, {
    valid: approvals,
    refused: [
      async (scene) => ({
        ...(await approvals(scene)),
        approvals: [{ operatorId: NOBODY, signature: '00'.repeat(64) }],
      }),
      'RESOURCE_NOT_FOUND',
    ],
  }),
  example(setTvcAppLiveDeployment, { valid: live, refused: [madeDeployment, 'REQUEST_INVALID'] }),
  example(deleteTvcDeployment, { valid: madeDeployment, refused: [nobody, 'RESOURCE_NOT_FOUND'] }),
  example(restoreTvcDeployment, {
    valid: ({ made }) => made(deleteTvcDeployment),
    refused: [madeDeployment, 'REQUEST_INVALID'],
  }),
  example(deleteTvcAppAndDeployments, {
    valid: async (scene) => ({ appId: await madeApp(scene) }),
    refused: [{ appId: NOBODY }, 'RESOURCE_NOT_FOUND'],
  }),
  asking(
    getTvcApp,
    async (scene) => {
      const id = await madeApp(scene)
      return { request: { tvcAppId: id }, shows: { tvcApp: { id, publicDomain: `app-${id}.tvc.invalid` } } }
    },
    { refused: [{ tvcAppId: NOBODY }, 'RESOURCE_NOT_FOUND'] },
  ),
  asking(listTvcApps, async (scene) => ({ request: {}, shows: { tvcApps: [{ id: await madeApp(scene) }] } })),
  asking(
    getTvcDeployment,
    async (scene) => {
      const { deploymentId: id } = await madeDeployment(scene)
      const shown = { id, delete: false, debugMode: false, pivotContainer: { hasPullSecret: true } }
      return { request: { deploymentId: id }, shows: { tvcDeployment: shown } }
    },
    { refused: [nobody, 'RESOURCE_NOT_FOUND'] },
  ),
  asking(
    listTvcAppDeployments,
    async (scene) => {
      const request = await madeDeployment(scene)
      const { tvcDeployment } = await scene.asked(getTvcDeployment, request)
      return { request: { appId: tvcDeployment.appId }, shows: { tvcDeployments: [{ id: tvcDeployment.id }] } }
    },
    { refused: [{ appId: NOBODY }, 'RESOURCE_NOT_FOUND'] },
  ),
  asking(
    getAppStatus,
    async (scene) => {
      const request = await madeDeployment(scene)
      const { tvcDeployment } = await scene.asked(getTvcDeployment, request)
      const deployments = [{ ...request, readyReplicas: 0, desiredReplicas: 3 }]
      return { request: { appId: tvcDeployment.appId }, shows: { appStatus: { deployments } } }
    },
    { refused: [{ appId: NOBODY }, 'RESOURCE_NOT_FOUND'] },
  ),
  asking(
    getTvcDeploymentDebugLogs,
    async (scene) => ({ request: { ...(await madeDeployment(scene)), tailLines: 10 }, shows: { entries: [] } }),
    { refused: [nobody, 'RESOURCE_NOT_FOUND'] },
  ),
  asking(getTvcQosVersions, () => ({ request: {}, shows: { availableVersions: [], latestVersion: '' } })),
]

const KEY = 'it belongs to an operator of the organization, and manifests that were approved name it'

export const texts = {
  name: ORGANIZATION,
  publicKey: KEY,
  quorumPublicKey: ORGANIZATION,
  qosVersion: ORGANIZATION,
  pivotContainerImageUrl: ORGANIZATION,
  pivotPath: ORGANIZATION,
  pivotArgs: ORGANIZATION,
  pivotContainerEncryptedPullSecret: 'it is encrypted to a key of the deployment',
  healthCheckType: ORGANIZATION,
  manifest: 'operators of the organization sign it as it is',
  signature: 'an audit verifies it again',
}
