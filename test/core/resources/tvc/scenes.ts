import { createHash } from 'node:crypto'
import type { Json } from '../../../../core/failure.ts'
import { createTvcApp } from '../../../../core/resources/tvc/create-tvc-app.ts'
import { createTvcDeployment } from '../../../../core/resources/tvc/create-tvc-deployment.ts'
import { createTvcManifestApprovals } from '../../../../core/resources/tvc/create-tvc-manifest-approvals.ts'
import { getTvcApp } from '../../../../core/resources/tvc/get-tvc-app.ts'
import { getTvcDeployment } from '../../../../core/resources/tvc/get-tvc-deployment.ts'
import { answer } from '../ask.ts'
import { anyOrganization, type Circumstances, type Tried } from '../execute.ts'
import { qosKeySet, type QosKeySet } from './qos-key-set.ts'

export const sha256 = (bytes: string | Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

/** The keys of the n-th operator. */
export const keys = (n: number): QosKeySet => qosKeySet(sha256(`seed ${n}`))

export const operator = (n: number) => ({ name: `operator ${n}`, publicKey: keys(n).publicKey })

/** Operators 1 to 3 approve manifests, two of them together; 4 and 5 have the shares. */
export const anyApp = (more: { readonly [member: string]: Json } = {}) => ({
  name: 'ledger',
  quorumPublicKey: keys(0).publicKey,
  manifestSetParams: { name: 'approvers', newOperators: [1, 2, 3].map(operator), threshold: 2 },
  shareSetParams: { name: 'holders', newOperators: [4, 5].map(operator), threshold: 2 },
  ...more,
})

export const anyDeployment = (appId: string, more: { readonly [member: string]: Json } = {}) => ({
  appId,
  qosVersion: '0.12.1',
  pivotContainerImageUrl: 'registry.example.com/ledger@sha256:00',
  pivotPath: '/ledger',
  pivotArgs: ['--port', '3000'],
  expectedPivotDigest: 'ab'.repeat(32),
  healthCheckType: 'TVC_HEALTH_CHECK_TYPE_GRPC',
  healthCheckPort: 3_000,
  publicIngressPort: 3_000,
  ...more,
})

type AppResult = {
  readonly appId: string
  readonly manifestSetId: string
  readonly manifestSetOperatorIds: readonly string[]
  readonly shareSetId: string
  readonly shareSetOperatorIds: readonly string[]
}
type DeploymentResult = { readonly deploymentId: string; readonly manifestId: string }
export type Deployment = AppResult & DeploymentResult

/** An organization with an app, and what its deployments need. */
export const cloud = (more: { readonly [member: string]: Json } = {}) => {
  const tried = anyOrganization()
  const app = tried.execute(createTvcApp, anyApp(more)).result as AppResult
  return { tried, app }
}

export const deploy = (
  tried: Tried,
  app: AppResult,
  more: { readonly [member: string]: Json } = {},
  circumstances: Circumstances = {},
): Deployment => {
  const { result } = tried.execute(createTvcDeployment, anyDeployment(app.appId, more), circumstances)
  return { ...app, ...(result as DeploymentResult) }
}

/** What the wire shows of a deployment. */
export const shownDeployment = async ({ state }: Tried, deploymentId: string) =>
  (await answer(getTvcDeployment, state, { deploymentId }))['tvcDeployment'] as ShownDeployment
export type ShownDeployment = {
  readonly manifest: { readonly manifest: string }
  readonly manifestApprovals: readonly { readonly operator: { readonly id: string }; readonly approval: string }[]
  readonly delete: boolean
  readonly updatedAt: Json
}

export const liveOf = async ({ state }: Tried, tvcAppId: string): Promise<Json | undefined> =>
  ((await answer(getTvcApp, state, { tvcAppId }))['tvcApp'] as { readonly liveDeploymentId?: Json }).liveDeploymentId

export const hashOf = async (tried: Tried, { deploymentId }: Deployment): Promise<Buffer> =>
  sha256(Buffer.from((await shownDeployment(tried, deploymentId)).manifest.manifest, 'base64'))

/** The approvals of operators by their numbers: 1 to 3 are in the manifest set. */
export const approvalsBy = async (tried: Tried, of: Deployment, ...operators: readonly number[]) => {
  const hash = await hashOf(tried, of)
  const ids = [...of.manifestSetOperatorIds, ...of.shareSetOperatorIds]
  const approvals = operators.map((n) => ({ operatorId: ids[n - 1] ?? '', signature: keys(n).sign(hash) }))
  return { manifestId: of.manifestId, approvals }
}

export const approve = async (tried: Tried, of: Deployment, ...operators: readonly number[]) =>
  tried.execute(createTvcManifestApprovals, await approvalsBy(tried, of, ...operators))
