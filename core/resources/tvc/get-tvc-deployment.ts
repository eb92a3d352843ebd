import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { TvcDeploymentView, tvcDeploymentView } from './tvc-deployment-view.ts'
import { tvcDeployments } from './tvc-deployments.ts'

export const getTvcDeployment = query({
  path: 'get_tvc_deployment',
  summary: 'Shows a deployment, with its manifest and the approvals of it.',
  request: t.fields({ organizationId: t.Uuid, deploymentId: t.Uuid }),
  answer: t.fields({ tvcDeployment: TvcDeploymentView }),
  run: ({ deploymentId }, { organization, find }) => ({
    tvcDeployment: tvcDeploymentView(organization)(find('TVC deployment', tvcDeployments, deploymentId)),
  }),
})
