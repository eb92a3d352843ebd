import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { tvcApps } from './tvc-apps.ts'
import { findDeployment, markDeleted } from './tvc-deployments.ts'

const Deleted = t.fields({ deploymentId: t.string })

/** If the deployment was live, its app has no live deployment any more. */
export const deleteTvcDeployment = operation({
  type: 'ACTIVITY_TYPE_DELETE_TVC_DEPLOYMENT',
  path: 'delete_tvc_deployment',
  summary: 'Marks a deployment as deleted, until it is restored.',
  resource: 'TVC_DEPLOYMENT',
  action: 'DELETE',
  intent: t.fields({ deploymentId: t.Uuid }),
  result: Deleted,
  change: Deleted,

  execute: (intent, context) => {
    findDeployment(context, intent.deploymentId)
    return { result: intent, change: intent }
  },

  evolve: (draft, { deploymentId }, { atMs }) => {
    const deployment = markDeleted(draft, deploymentId, true, atMs)
    const app = deployment && tvcApps.in(draft).get(deployment.appId)
    if (app?.liveDeploymentId !== deploymentId) return
    delete app.liveDeploymentId
    app.updatedAtMs = atMs
  },
})
