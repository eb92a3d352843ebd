import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { refuse } from '../../definition/refuse.ts'
import { checkQuota } from '../check-quota.ts'
import { CompactSecret } from '../compact-secret.ts'
import { manifestOf } from './manifest.ts'
import { tvcApps } from './tvc-apps.ts'
import { deploymentsOf, keepTvcDeployment, NewTvcDeployment, TvcHealthCheckType } from './tvc-deployments.ts'
import { tvcLimits } from './tvc-limits.ts'
import { named, operatorsOf, tvcOperatorSets } from './tvc-operators.ts'

/** Arguments stand in the manifest and in the state: how many there may be, and how many characters they may have together. */
const ARGS_MAX = 128
const ARGS_LENGTH_MAX = 8_192

const DEFAULTS = { replicas: 3, instanceSizeCpus: 2, instanceSizeRam: 1 }

const between = (min: number, max: number) =>
  t.refined(t.Integer, `an integer from ${min} to ${max}`, (number) => number >= min && number <= max)

const Port = between(1, 65_535)
const Digest = t.canonical(t.string, 'a SHA-256 of 32 bytes in hexadecimal digits', (text) =>
  text.length === 64 && t.Hexadecimal.is(text) ? text.toLowerCase() : undefined,
)

/**
 * The operation, for a server whose operator has named versions of QuorumOS. `admit` compares them, which no audit runs: an auditor does
 * not know what an operator named.
 *
 * @param qosVersions  those that a request may name; any, if there are none
 */
export const createTvcDeploymentWith = (qosVersions: readonly string[]) =>
  operation({
    type: 'ACTIVITY_TYPE_CREATE_TVC_DEPLOYMENT',
    path: 'create_tvc_deployment',
    summary: 'Records a deployment of an app, and makes the manifest that its operators approve; nothing is started.',
    resource: 'TVC_DEPLOYMENT',
    action: 'CREATE',
    intent: t.fields(
      {
        appId: t.Uuid,
        qosVersion: t.textUpTo(256),
        pivotContainerImageUrl: t.Text,
        pivotPath: t.Text,
        pivotArgs: t.list(t.TextOrEmpty),
        expectedPivotDigest: Digest,
        healthCheckType: TvcHealthCheckType,
        healthCheckPort: Port,
        publicIngressPort: Port,
      },
      {
        nonce: between(0, 2 ** 32 - 1),
        pivotContainerEncryptedPullSecret: CompactSecret,
        debugMode: t.boolean,
        replicas: between(1, 100),
        // Encoders of the wire write 0 for what was left out.
        instanceSizeCpus: between(0, 1_024),
        instanceSizeRam: between(0, 65_536),
      },
      ({ pivotArgs }) =>
        pivotArgs.length > ARGS_MAX || pivotArgs.join('').length > ARGS_LENGTH_MAX
          ? { member: 'pivotArgs', expected: `at most ${ARGS_MAX} texts, of ${ARGS_LENGTH_MAX} characters together` }
          : undefined,
    ),
    result: t.fields({ deploymentId: t.string, manifestId: t.string }),
    change: NewTvcDeployment,

    admit: ({ qosVersion }) => {
      if (qosVersions.length > 0 && !qosVersions.includes(qosVersion))
        throw refuse.field('qosVersion', 'one of the versions that get_tvc_qos_versions names')
    },

    execute: (intent, context) => {
      const { organization, ids, find, atMs } = context
      const { appId, healthCheckPort, publicIngressPort, debugMode = false } = intent
      const app = find('TVC app', tvcApps, appId)
      if (debugMode && !app.enableDebugModeDeployments)
        throw refuse.field('debugMode', 'false: the app was created without deployments in debug mode')
      const most = tvcLimits.of(context).tvcDeployments
      checkQuota(deploymentsOf(appId, organization).size + 1, most, 'deployments of a TVC app')
      const { expectedPivotDigest, nonce = Math.floor(atMs / 1_000), ...kept } = intent
      const setOf = (id: string) => {
        const set = named(tvcOperatorSets, id, organization)
        return { threshold: set.threshold, operators: operatorsOf(set, organization) }
      }
      const manifest = manifestOf({
        appId,
        nonce,
        quorumPublicKey: app.quorumPublicKey,
        expectedPivotDigest,
        pivotArgs: intent.pivotArgs,
        ports: [...new Set([publicIngressPort, healthCheckPort])],
        debugMode,
        manifestSet: setOf(app.manifestSetId),
        shareSet: setOf(app.shareSetId),
        qosVersion: intent.qosVersion,
      })
      const result = { deploymentId: ids(), manifestId: ids() }
      const sizes = {
        replicas: intent.replicas ?? DEFAULTS.replicas,
        instanceSizeCpus: intent.instanceSizeCpus || DEFAULTS.instanceSizeCpus,
        instanceSizeRam: intent.instanceSizeRam || DEFAULTS.instanceSizeRam,
      }
      return { result, change: { ...kept, ...result, ...sizes, debugMode, manifest } }
    },

    evolve: (draft, created, context) =>
      keepTvcDeployment(draft, { ...created, approvals: [], isDeleted: false }, context),
  })

export const createTvcDeployment = createTvcDeploymentWith([])
