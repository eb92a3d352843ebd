import { resource, type Resource } from '../../definition/resource.ts'
import { createTvcApp } from './create-tvc-app.ts'
import { createTvcDeployment, createTvcDeploymentWith } from './create-tvc-deployment.ts'
import { createTvcManifestApprovals } from './create-tvc-manifest-approvals.ts'
import { deleteTvcAppAndDeployments } from './delete-tvc-app-and-deployments.ts'
import { deleteTvcDeployment } from './delete-tvc-deployment.ts'
import { getAppStatus } from './get-app-status.ts'
import { getTvcApp } from './get-tvc-app.ts'
import { getTvcDeployment } from './get-tvc-deployment.ts'
import { getTvcDeploymentDebugLogs } from './get-tvc-deployment-debug-logs.ts'
import { getTvcQosVersions, getTvcQosVersionsOf } from './get-tvc-qos-versions.ts'
import { listTvcAppDeployments } from './list-tvc-app-deployments.ts'
import { listTvcApps } from './list-tvc-apps.ts'
import { restoreTvcDeployment } from './restore-tvc-deployment.ts'
import { setTvcAppLiveDeployment } from './set-tvc-app-live-deployment.ts'
import { tvcApps } from './tvc-apps.ts'
import { tvcDeployments } from './tvc-deployments.ts'
import { tvcLimits } from './tvc-limits.ts'
import { tvcOperators, tvcOperatorSets } from './tvc-operators.ts'

export {
  createTvcApp,
  createTvcDeployment,
  createTvcManifestApprovals,
  deleteTvcAppAndDeployments,
  deleteTvcDeployment,
  getAppStatus,
  getTvcApp,
  getTvcDeployment,
  getTvcDeploymentDebugLogs,
  getTvcQosVersions,
  listTvcAppDeployments,
  listTvcApps,
  restoreTvcDeployment,
  setTvcAppLiveDeployment,
  tvcApps,
  tvcDeployments,
  tvcOperators,
  tvcOperatorSets,
}

const others = [
  createTvcApp,
  createTvcManifestApprovals,
  setTvcAppLiveDeployment,
  deleteTvcDeployment,
  restoreTvcDeployment,
  deleteTvcAppAndDeployments,
]

const tvc = (operations: Resource['operations'], queries: Resource['queries']) =>
  resource({
    name: 'tvc',
    states: [tvcOperators, tvcOperatorSets, tvcApps, tvcDeployments],
    limits: tvcLimits,
    operations: [...operations, ...others],
    queries: [
      getTvcApp,
      listTvcApps,
      getTvcDeployment,
      listTvcAppDeployments,
      getAppStatus,
      getTvcDeploymentDebugLogs,
      ...queries,
    ],
  })

/** The records of the verifiable cloud. Deployments may name any version of QuorumOS. */
export const tvcResource = tvc([createTvcDeployment], [getTvcQosVersions])

/**
 * The resources, with versions of QuorumOS that deployments may name.
 *
 * @param qosVersions  the latest last
 * @example resources: withQosVersions(publicApi, ['0.12.0', '0.12.1'])
 */
export const withQosVersions = (resources: readonly Resource[], qosVersions: readonly string[]): readonly Resource[] =>
  resources.map((one) =>
    one === tvcResource ? tvc([createTvcDeploymentWith(qosVersions)], [getTvcQosVersionsOf(qosVersions)]) : one,
  )
