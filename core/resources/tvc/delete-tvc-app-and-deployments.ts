import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { tvcApps } from './tvc-apps.ts'
import { deploymentsOf, tvcDeployments } from './tvc-deployments.ts'

const Deleted = t.fields({ appId: t.string })

/** Its operators and their sets stay: other apps may name them, now or later. */
export const deleteTvcAppAndDeployments = operation({
  type: 'ACTIVITY_TYPE_DELETE_TVC_APP_AND_DEPLOYMENTS',
  path: 'delete_tvc_app_and_deployments',
  summary: 'Deletes an app with all its deployments, for good.',
  resource: 'TVC_APP',
  action: 'DELETE',
  intent: t.fields({ appId: t.Uuid }),
  result: Deleted,
  change: Deleted,

  execute: (intent, { find }) => {
    find('TVC app', tvcApps, intent.appId)
    return { result: intent, change: intent }
  },

  evolve: (draft, { appId }) => {
    for (const deploymentId of deploymentsOf(appId, draft).keys()) tvcDeployments.in(draft).delete(deploymentId)
    tvcApps.in(draft).delete(appId)
  },
})
