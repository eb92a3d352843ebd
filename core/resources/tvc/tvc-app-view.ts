import * as t from '../../codec/t.ts'
import type { Organization } from '../../organization/state.ts'
import { shownMembers, shownTimes, timesOf } from '../records.ts'
import { encryptKeyOf, signKeyOf } from './qos-public-key.ts'
import { publicDomainOf, type TvcApp } from './tvc-apps.ts'
import { named, operatorsOf, tvcOperatorSets, type TvcOperator } from './tvc-operators.ts'

/** An operator as the wire shows it. The two halves of its key stand there alone, too. */
export const TvcOperatorView = t.named(
  'TvcOperator',
  t.fields({
    id: t.Uuid,
    name: t.string,
    publicKey: t.string,
    encryptPublicKey: t.string,
    signPublicKey: t.string,
    ...shownTimes,
  }),
)

export const TvcOperatorSetView = t.named(
  'TvcOperatorSet',
  t.fields({
    id: t.Uuid,
    name: t.string,
    operators: t.readonlyArray(TvcOperatorView),
    threshold: t.number,
    ...shownMembers,
  }),
)

export const TvcAppView = t.named(
  'TvcApp',
  t.fields(
    {
      id: t.Uuid,
      name: t.string,
      quorumPublicKey: t.string,
      manifestSet: TvcOperatorSetView,
      shareSet: TvcOperatorSetView,
      enableEgress: t.boolean,
      publicDomain: t.string,
      enableDebugModeDeployments: t.boolean,
      ...shownMembers,
    },
    { liveDeploymentId: t.string },
  ),
)
type TvcAppView = t.TypeOf<typeof TvcAppView>

export const tvcOperatorView = (operator: TvcOperator) => ({
  id: operator.operatorId,
  name: operator.name,
  publicKey: operator.publicKey,
  encryptPublicKey: encryptKeyOf(operator.publicKey),
  signPublicKey: signKeyOf(operator.publicKey),
  ...timesOf(operator),
})

export const tvcOperatorSetView = (operatorSetId: string, organization: Organization) => {
  const set = named(tvcOperatorSets, operatorSetId, organization)
  return {
    id: operatorSetId,
    name: set.name,
    operators: operatorsOf(set, organization).map(tvcOperatorView),
    threshold: set.threshold,
    organizationId: organization.organizationId,
    ...timesOf(set),
  }
}

export const tvcAppView =
  (organization: Organization) =>
  (app: TvcApp): TvcAppView => ({
    id: app.appId,
    name: app.name,
    quorumPublicKey: app.quorumPublicKey,
    manifestSet: tvcOperatorSetView(app.manifestSetId, organization),
    shareSet: tvcOperatorSetView(app.shareSetId, organization),
    enableEgress: app.enableEgress,
    publicDomain: publicDomainOf(app.appId),
    enableDebugModeDeployments: app.enableDebugModeDeployments,
    liveDeploymentId: app.liveDeploymentId,
    organizationId: organization.organizationId,
    ...timesOf(app),
  })
