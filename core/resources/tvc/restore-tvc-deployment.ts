import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { refuse } from '../../definition/refuse.ts'
import { markDeleted, tvcDeployments } from './tvc-deployments.ts'

const Restored = t.fields({ deploymentId: t.string })

/** It keeps its approvals, and does not become live by this. */
export const restoreTvcDeployment = operation({
  type: 'ACTIVITY_TYPE_RESTORE_TVC_DEPLOYMENT',
  path: 'restore_tvc_deployment',
  summary: 'Takes the mark from a deployment that is marked as deleted.',
  resource: 'TVC_DEPLOYMENT',
  action: 'UPDATE',
  intent: t.fields({ deploymentId: t.Uuid }),
  result: Restored,
  change: Restored,

  execute: (intent, { find }) => {
    if (!find('TVC deployment', tvcDeployments, intent.deploymentId).isDeleted)
      throw refuse('REQUEST_INVALID', 'the deployment is not deleted')
    return { result: intent, change: intent }
  },

  evolve: (draft, { deploymentId }, { atMs }) => {
    markDeleted(draft, deploymentId, false, atMs)
  },
})
