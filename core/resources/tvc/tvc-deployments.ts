import * as t from '../../codec/t.ts'
import type { Find } from '../../definition/find.ts'
import { refuse } from '../../definition/refuse.ts'
import { state, type DeepReadonly, type Draft, type Organization } from '../../organization/state.ts'
import { keeps, times } from '../records.ts'
import { tvcApps } from './tvc-apps.ts'
import { named, tvcOperatorSets } from './tvc-operators.ts'

export const TvcHealthCheckType = t.keyof({ TVC_HEALTH_CHECK_TYPE_HTTP: null, TVC_HEALTH_CHECK_TYPE_GRPC: null })

const deployment = {
  deploymentId: t.string,
  appId: t.string,
  manifestId: t.string,
  manifest: t.string,
  qosVersion: t.string,
  pivotContainerImageUrl: t.string,
  pivotPath: t.string,
  pivotArgs: t.array(t.string),
  healthCheckType: TvcHealthCheckType,
  healthCheckPort: t.number,
  publicIngressPort: t.number,
  debugMode: t.boolean,
  replicas: t.number,
  instanceSizeCpus: t.number,
  instanceSizeRam: t.number,
}
const maybe = { pivotContainerEncryptedPullSecret: t.string }
export const NewTvcDeployment = t.fields(deployment, maybe)

export const NewApproval = t.fields({ approvalId: t.string, operatorId: t.string, signature: t.string })
const Approval = t.fields({ approvalId: t.string, operatorId: t.string, signature: t.string, createdAtMs: t.number })

const TvcDeployment = t.fields({ ...deployment, approvals: t.array(Approval), isDeleted: t.boolean, ...times }, maybe)
export type TvcDeployment = DeepReadonly<t.TypeOf<typeof TvcDeployment>>
export type TvcDeploymentDraft = t.TypeOf<typeof TvcDeployment>

/**
 * The deployments of apps, by id, in order of creation. Each keeps its manifest as text: operators have signed these bytes, so no later
 * version may make them anew.
 */
export const tvcDeployments = state({
  name: 'tvc-deployments',
  version: 1,
  codec: t.mapOf(TvcDeployment),
  initial: () => new Map(),
})

export const keepTvcDeployment = keeps<Omit<TvcDeploymentDraft, keyof typeof times>>(
  tvcDeployments,
  ({ deploymentId }) => deploymentId,
)

export const deploymentsOf = (appId: string, organization: Organization): ReadonlyMap<string, TvcDeployment> =>
  new Map([...tvcDeployments.of(organization)].filter(([, one]) => one.appId === appId))

/** The set whose operators approve the manifest of the deployment. */
export const manifestSetOf = ({ appId }: TvcDeployment, organization: Organization) =>
  named(tvcOperatorSets, named(tvcApps, appId, organization).manifestSetId, organization)

/** Whether enough operators have approved the manifest. */
export const isDeployed = (one: TvcDeployment, organization: Organization): boolean =>
  one.approvals.length >= manifestSetOf(one, organization).threshold

/** A deployment that is not marked as deleted. */
export const findDeployment = ({ find }: Pick<Find, 'find'>, deploymentId: string): TvcDeployment =>
  notDeleted(find('TVC deployment', tvcDeployments, deploymentId))

export const notDeleted = (one: TvcDeployment): TvcDeployment => {
  if (one.isDeleted) throw refuse('REQUEST_INVALID', 'the deployment is deleted; it can be restored')
  return one
}

/** Sets the mark, or takes it away. */
export const markDeleted = (draft: Draft, deploymentId: string, isDeleted: boolean, atMs: number) => {
  const one = tvcDeployments.in(draft).get(deploymentId)
  if (one !== undefined) [one.isDeleted, one.updatedAtMs] = [isDeleted, atMs]
  return one
}
