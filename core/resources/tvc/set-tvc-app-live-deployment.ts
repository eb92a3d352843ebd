import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { refuse } from '../../definition/refuse.ts'
import { tvcApps } from './tvc-apps.ts'
import { findDeployment, isDeployed } from './tvc-deployments.ts'

export const setTvcAppLiveDeployment = operation({
  type: 'ACTIVITY_TYPE_UPDATE_TVC_APP_LIVE_DEPLOYMENT',
  path: 'set_tvc_app_live_deployment',
  summary: 'Makes a deployment whose manifest is approved the one that its app is asked at.',
  resource: 'TVC_APP',
  action: 'UPDATE',
  intentName: 'updateTvcAppLiveDeploymentIntent',
  resultName: 'updateTvcAppLiveDeploymentResult',
  intent: t.fields({ deploymentId: t.Uuid }),
  result: t.fields({}),
  change: t.fields({ deploymentId: t.string, appId: t.string }),

  execute: ({ deploymentId }, context) => {
    const deployment = findDeployment(context, deploymentId)
    if (!isDeployed(deployment, context.organization))
      throw refuse('REQUEST_INVALID', 'the manifest of the deployment has too few approvals')
    return { result: {}, change: { deploymentId, appId: deployment.appId } }
  },

  evolve: (draft, { deploymentId, appId }, { atMs }) => {
    const app = tvcApps.in(draft).get(appId)
    if (app !== undefined) [app.liveDeploymentId, app.updatedAtMs] = [deploymentId, atMs]
  },
})
