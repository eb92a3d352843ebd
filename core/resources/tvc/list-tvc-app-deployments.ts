import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { wholeList } from '../whole-list.ts'
import { tvcApps } from './tvc-apps.ts'
import { TvcDeploymentView, tvcDeploymentView } from './tvc-deployment-view.ts'
import { deploymentsOf } from './tvc-deployments.ts'

export const listTvcAppDeployments = query({
  path: 'list_tvc_app_deployments',
  summary: 'Lists all deployments of an app, with those that are marked as deleted.',
  request: t.fields({ organizationId: t.Uuid, appId: t.Uuid }),
  answer: t.fields({ tvcDeployments: t.readonlyArray(TvcDeploymentView) }),
  run: ({ appId }, { organization, find }) => {
    find('TVC app', tvcApps, appId)
    return wholeList('tvcDeployments', deploymentsOf(appId, organization), tvcDeploymentView(organization))
  },
})
