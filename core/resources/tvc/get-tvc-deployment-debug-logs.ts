import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { tvcDeployments } from './tvc-deployments.ts'

const Entry = t.named(
  'TvcDeploymentDebugLogEntry',
  t.fields({
    line: t.named('LogLine', t.fields({ content: t.string }, { ts: t.Timestamp })),
    replicaLabel: t.string,
  }),
)

/** Nothing is started here, so nothing writes a log. */
export const getTvcDeploymentDebugLogs = query({
  path: 'get_tvc_deployment_debug_logs',
  summary: 'Tells what a deployment has logged in debug mode: nothing, since nothing is started.',
  request: t.fields(
    { organizationId: t.Uuid, deploymentId: t.Uuid },
    { tailLines: t.Integer, sinceSeconds: t.Numeric },
  ),
  answer: t.fields({ entries: t.readonlyArray(Entry) }),
  run: ({ deploymentId }, { find }) => {
    find('TVC deployment', tvcDeployments, deploymentId)
    return { entries: [] }
  },
})
