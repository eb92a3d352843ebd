import * as t from '../../codec/t.ts'
import { timestamp } from '../../codec/timestamp.ts'
import { query } from '../../definition/query.ts'
import { tvcApps } from './tvc-apps.ts'
import { deploymentsOf, isDeployed } from './tvc-deployments.ts'

const ProvisioningState = t.keyof({
  PROVISIONING_STATE_PENDING: null,
  PROVISIONING_STATE_AWAITING_PROVISION: null,
  PROVISIONING_STATE_PROVISIONED: null,
})

const DeploymentStatus = t.named(
  'DeploymentStatus',
  t.fields({
    deploymentId: t.Uuid,
    readyReplicas: t.number,
    desiredReplicas: t.number,
    lastUpdatedTime: t.Timestamp,
    provisioningState: ProvisioningState,
  }),
)

const AppStatus = t.named(
  'AppStatus',
  t.fields({
    appId: t.Uuid,
    deployments: t.readonlyArray(DeploymentStatus),
    targetedDeploymentId: t.described(t.string, 'the live deployment; empty for none'),
  }),
)

/** Nothing is started here, so no replica is ever ready, and nothing goes beyond waiting for shares of the quorum key. */
export const getAppStatus = query({
  path: 'get_app_status',
  summary: 'Tells how far the deployments of an app are that are not marked as deleted; none has a ready replica.',
  request: t.fields({ organizationId: t.Uuid, appId: t.Uuid }),
  answer: t.fields({ appStatus: AppStatus }),
  run: ({ appId }, { organization, find }) => {
    const { liveDeploymentId = '' } = find('TVC app', tvcApps, appId)
    const shown = [...deploymentsOf(appId, organization).values()].filter(({ isDeleted }) => !isDeleted)
    const deployments = shown.map((one) => ({
      deploymentId: one.deploymentId,
      readyReplicas: 0,
      desiredReplicas: one.replicas,
      lastUpdatedTime: timestamp(one.updatedAtMs),
      provisioningState: isDeployed(one, organization)
        ? ('PROVISIONING_STATE_AWAITING_PROVISION' as const)
        : ('PROVISIONING_STATE_PENDING' as const),
    }))
    return { appStatus: { appId, deployments, targetedDeploymentId: liveDeploymentId } }
  },
})
