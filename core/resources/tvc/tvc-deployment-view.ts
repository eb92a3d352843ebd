import * as t from '../../codec/t.ts'
import { decodeHex, encodeBase64, encodeUtf8 } from '../../bytes.ts'
import type { Organization } from '../../organization/state.ts'
import { shownMembers, shownTimes, timesOf } from '../records.ts'
import { TvcOperatorSetView, tvcOperatorSetView, TvcOperatorView, tvcOperatorView } from './tvc-app-view.ts'
import { tvcApps } from './tvc-apps.ts'
import { TvcHealthCheckType, type TvcDeployment } from './tvc-deployments.ts'
import { named, tvcOperators } from './tvc-operators.ts'

const Base64 = t.described(t.string, 'bytes in base64')

/** A deployment as the wire shows it. The secret to pull its container is never shown. */
export const TvcDeploymentView = t.named(
  'TvcDeployment',
  t.fields({
    id: t.Uuid,
    appId: t.Uuid,
    manifestSet: TvcOperatorSetView,
    shareSet: TvcOperatorSetView,
    manifest: t.named('TvcManifest', t.fields({ id: t.Uuid, manifest: Base64, ...shownTimes })),
    manifestApprovals: t.readonlyArray(
      t.named(
        'TvcOperatorApproval',
        t.fields({ id: t.Uuid, manifestId: t.Uuid, operator: TvcOperatorView, approval: Base64, ...shownTimes }),
      ),
    ),
    qosVersion: t.string,
    pivotContainer: t.named(
      'TvcContainerSpec',
      t.fields({
        containerUrl: t.string,
        path: t.string,
        args: t.readonlyArray(t.string),
        hasPullSecret: t.boolean,
        healthCheckType: TvcHealthCheckType,
        healthCheckPort: t.number,
        publicIngressPort: t.number,
      }),
    ),
    delete: t.described(t.boolean, 'whether the deployment is marked as deleted'),
    debugMode: t.boolean,
    instanceSizeCpus: t.number,
    instanceSizeRam: t.described(t.number, 'in GiB'),
    ...shownMembers,
  }),
)
type TvcDeploymentView = t.TypeOf<typeof TvcDeploymentView>

export const tvcDeploymentView =
  (organization: Organization) =>
  (one: TvcDeployment): TvcDeploymentView => {
    const { manifestSetId, shareSetId } = named(tvcApps, one.appId, organization)
    return {
      id: one.deploymentId,
      appId: one.appId,
      manifestSet: tvcOperatorSetView(manifestSetId, organization),
      shareSet: tvcOperatorSetView(shareSetId, organization),
      manifest: {
        id: one.manifestId,
        manifest: encodeBase64(encodeUtf8(one.manifest)),
        ...timesOf({ createdAtMs: one.createdAtMs, updatedAtMs: one.createdAtMs }),
      },
      manifestApprovals: one.approvals.map(({ approvalId, operatorId, signature, createdAtMs }) => ({
        id: approvalId,
        manifestId: one.manifestId,
        operator: tvcOperatorView(named(tvcOperators, operatorId, organization)),
        approval: encodeBase64(decodeHex(signature) ?? new Uint8Array()),
        ...timesOf({ createdAtMs, updatedAtMs: createdAtMs }),
      })),
      qosVersion: one.qosVersion,
      pivotContainer: {
        containerUrl: one.pivotContainerImageUrl,
        path: one.pivotPath,
        args: one.pivotArgs,
        hasPullSecret: one.pivotContainerEncryptedPullSecret !== undefined,
        healthCheckType: one.healthCheckType,
        healthCheckPort: one.healthCheckPort,
        publicIngressPort: one.publicIngressPort,
      },
      delete: one.isDeleted,
      debugMode: one.debugMode,
      instanceSizeCpus: one.instanceSizeCpus,
      instanceSizeRam: one.instanceSizeRam,
      organizationId: organization.organizationId,
      ...timesOf(one),
    }
  }
