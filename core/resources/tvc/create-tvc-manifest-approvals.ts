import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { refuse } from '../../definition/refuse.ts'
import type { Organization } from '../../organization/state.ts'
import { ApprovalSignature, isSignedBy } from './approval-signature.ts'
import { manifestHash } from './manifest.ts'
import { OPERATORS_MAX } from './new-operator-sets.ts'
import { tvcApps } from './tvc-apps.ts'
import {
  isDeployed,
  manifestSetOf,
  NewApproval,
  notDeleted,
  tvcDeployments,
  type TvcDeployment,
} from './tvc-deployments.ts'
import { named, tvcOperators } from './tvc-operators.ts'

/**
 * The signatures are verified last, and the first wrong one ends it: each takes some milliseconds of the thread, also for a requester who
 * may not approve anything.
 */
export const createTvcManifestApprovals = operation({
  type: 'ACTIVITY_TYPE_CREATE_TVC_MANIFEST_APPROVALS',
  path: 'create_tvc_manifest_approvals',
  summary: 'Records the signatures of operators over the manifest of a deployment.',
  resource: 'TVC_DEPLOYMENT',
  action: 'UPDATE',
  intent: t.fields(
    { manifestId: t.Uuid, approvals: t.some(t.fields({ operatorId: t.Uuid, signature: ApprovalSignature })) },
    {},
    ({ approvals }) => {
      const operatorIds = new Set(approvals.map(({ operatorId }) => operatorId))
      return operatorIds.size < approvals.length || approvals.length > OPERATORS_MAX
        ? { member: 'approvals', expected: `at most ${OPERATORS_MAX} approvals, each of another operator` }
        : undefined
    },
  ),
  result: t.fields({ approvalIds: t.array(t.string) }),
  change: t.fields({ deploymentId: t.string, approvals: t.array(NewApproval), makesLive: t.boolean }),

  execute: ({ manifestId, approvals }, { organization, ids, find }) => {
    const deployment = notDeleted(withManifest(manifestId, organization))
    const { operatorIds, threshold } = manifestSetOf(deployment, organization)
    const before = new Set(deployment.approvals.map(({ operatorId }) => operatorId))
    for (const [index, { operatorId }] of approvals.entries()) {
      find('TVC operator', tvcOperators, operatorId)
      const place = `approvals.${index}.operatorId`
      if (!operatorIds.includes(operatorId)) throw refuse.field(place, 'an operator of the manifest set')
      if (before.has(operatorId)) throw refuse.field(place, 'an operator who has not approved the manifest yet')
    }
    const hash = manifestHash(deployment.manifest)
    for (const [index, { operatorId, signature }] of approvals.entries())
      if (!isSignedBy(named(tvcOperators, operatorId, organization).publicKey, hash, signature))
        throw refuse.field(
          `approvals.${index}.signature`,
          'the signature of the operator over the hash of the manifest',
        )
    const added = approvals.map((approval) => ({ approvalId: ids(), ...approval }))
    const reaches = !isDeployed(deployment, organization) && before.size + added.length >= threshold
    const { liveDeploymentId } = named(tvcApps, deployment.appId, organization)
    return {
      result: { approvalIds: added.map(({ approvalId }) => approvalId) },
      change: {
        deploymentId: deployment.deploymentId,
        approvals: added,
        makesLive: reaches && liveDeploymentId === undefined,
      },
    }
  },

  evolve: (draft, { deploymentId, approvals, makesLive }, { atMs }) => {
    const deployment = tvcDeployments.in(draft).get(deploymentId)
    if (deployment === undefined) return
    deployment.approvals.push(...approvals.map((approval) => ({ ...approval, createdAtMs: atMs })))
    deployment.updatedAtMs = atMs
    const app = makesLive ? tvcApps.in(draft).get(deployment.appId) : undefined
    if (app !== undefined) [app.liveDeploymentId, app.updatedAtMs] = [deploymentId, atMs]
  },
})

const withManifest = (manifestId: string, organization: Organization): TvcDeployment => {
  for (const one of tvcDeployments.of(organization).values()) if (one.manifestId === manifestId) return one
  throw refuse.notFound('TVC manifest', manifestId, organization)
}
