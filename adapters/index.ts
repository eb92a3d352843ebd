/** Countersign for Node: the engine with Node's clock, ids, signatures and turns, and the functions that define a host's resources. */
export {
  createEngine,
  type BegunOrganization,
  type Engine,
  type KeptOrganization,
  type KeptOrganizationOptions,
  type NodeEngineOptions as EngineOptions,
} from './node-engine.ts'
export { connect } from './client/connect-on-node.ts'
export type { ConnectOptions } from './client/connect.ts'
export { readCredentials, type CallerCredentials } from './credentials/credentials.ts'
export { systemClock } from './clock/system-clock.ts'
export { nodeIds, type NodeIdsOptions } from './ids/node-ids.ts'
export { envKeystore, type EnvKeystoreOptions } from './keyring/env-keystore.ts'
export { fileKeystore, type FileKeystoreOptions } from './keyring/file-keystore.ts'
export { nodeKeyring, type NodeKeyring, type NodeKeyringOptions } from './keyring/node-keyring.ts'
export { generateKey, type SigningKey } from './signatures/signer.ts'
export { nodeSignatures, type NodeSignaturesOptions } from './signatures/node-signatures.ts'
export { intlTimeZones } from './time-zones/intl-time-zones.ts'
export { eventLoopTurns } from './turns/event-loop-turns.ts'
export { organizationRequest, type OrganizationRequestOptions } from './organization-request.ts'

export * from '../core/index.ts' // what has the same name above takes the place of the core's
