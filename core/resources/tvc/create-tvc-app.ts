import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { checkQuota } from '../check-quota.ts'
import { Name, operatorSets, OperatorSetParams } from './new-operator-sets.ts'
import { QosPublicKey } from './qos-public-key.ts'
import { app, checkAppName, keepTvcApp, tvcApps } from './tvc-apps.ts'
import { tvcLimits } from './tvc-limits.ts'
import { keepTvcOperator, keepTvcOperatorSet, NewTvcOperator, NewTvcOperatorSet } from './tvc-operators.ts'

export const createTvcApp = operation({
  type: 'ACTIVITY_TYPE_CREATE_TVC_APP',
  path: 'create_tvc_app',
  summary: 'Creates an app of the verifiable cloud, and the sets of operators that it names.',
  resource: 'TVC_APP',
  action: 'CREATE',
  intent: t.fields(
    { name: Name, quorumPublicKey: QosPublicKey },
    {
      manifestSetId: t.Uuid,
      manifestSetParams: OperatorSetParams,
      shareSetId: t.Uuid,
      shareSetParams: OperatorSetParams,
      enableEgress: t.boolean,
      enableDebugModeDeployments: t.boolean,
    },
    ({ manifestSetId, manifestSetParams, shareSetId, shareSetParams }) => {
      if ((manifestSetId === undefined) === (manifestSetParams === undefined)) return eitherOf('manifestSet')
      return (shareSetId === undefined) === (shareSetParams === undefined) ? eitherOf('shareSet') : undefined
    },
  ),
  result: t.fields({
    appId: t.string,
    manifestSetId: t.string,
    manifestSetOperatorIds: t.array(t.string),
    manifestSetThreshold: t.number,
    shareSetId: t.string,
    shareSetOperatorIds: t.array(t.string),
    shareSetThreshold: t.number,
  }),
  change: t.fields({ ...app, operators: t.array(NewTvcOperator), operatorSets: t.array(NewTvcOperatorSet) }),

  execute: (intent, context) => {
    const { organization, ids } = context
    checkQuota(tvcApps.of(organization).size + 1, tvcLimits.of(context).tvcApps, 'TVC apps')
    checkAppName('name', intent.name, organization)
    const { setOf, made } = operatorSets(context)
    const manifestSet = setOf('manifestSet', intent.manifestSetId, intent.manifestSetParams)
    const shareSet = setOf('shareSet', intent.shareSetId, intent.shareSetParams)
    const of = { appId: ids(), manifestSetId: manifestSet.operatorSetId, shareSetId: shareSet.operatorSetId }
    const { name, quorumPublicKey, enableEgress = false, enableDebugModeDeployments = false } = intent
    return {
      result: {
        ...of,
        manifestSetOperatorIds: manifestSet.operatorIds,
        manifestSetThreshold: manifestSet.threshold,
        shareSetOperatorIds: shareSet.operatorIds,
        shareSetThreshold: shareSet.threshold,
      },
      change: { ...of, name, quorumPublicKey, enableEgress, enableDebugModeDeployments, ...made() },
    }
  },

  evolve: (draft, { operators, operatorSets: sets, ...created }, context) => {
    for (const one of operators) keepTvcOperator(draft, one, context)
    for (const one of sets) keepTvcOperatorSet(draft, one, context)
    keepTvcApp(draft, created, context)
  },
})

const eitherOf = (which: string) => ({
  member: `${which}Params`,
  expected: `either ${which}Id or ${which}Params, and not both`,
})
