import * as t from '../../codec/t.ts'
import { state, type DeepReadonly } from '../../organization/state.ts'
import { keeps, times } from '../records.ts'
import { uniqueName } from '../unique-name.ts'

export const app = {
  appId: t.string,
  name: t.string,
  quorumPublicKey: t.string,
  manifestSetId: t.string,
  shareSetId: t.string,
  enableEgress: t.boolean,
  enableDebugModeDeployments: t.boolean,
}
const NewTvcApp = t.fields(app)
const TvcApp = t.fields({ ...app, ...times }, { liveDeploymentId: t.string })
export type TvcApp = DeepReadonly<t.TypeOf<typeof TvcApp>>

/** The apps of the verifiable cloud, by id, in order of creation. */
export const tvcApps = state({ name: 'tvc-apps', version: 1, codec: t.mapOf(TvcApp), initial: () => new Map() })

export const keepTvcApp = keeps<t.TypeOf<typeof NewTvcApp>>(tvcApps, ({ appId }) => appId)

export const checkAppName = uniqueName(tvcApps, ({ name }) => name)

/**
 * The host that would be asked for the app. No name under `invalid` is ever found (RFC 6761): nothing answers for an app here, and what
 * might answer one day is no business of a log.
 */
export const publicDomainOf = (appId: string): string => `app-${appId}.tvc.invalid`
