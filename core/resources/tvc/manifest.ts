import { sha256 } from '@noble/hashes/sha2.js'
import { encodeUtf8 } from '../../bytes.ts'
import type { Json } from '../../failure.ts'
import type { TvcOperator } from './tvc-operators.ts'

/** What stands in the manifest of a deployment. */
export type ManifestParts = {
  readonly appId: string
  readonly nonce: number
  readonly quorumPublicKey: string
  readonly expectedPivotDigest: string
  readonly pivotArgs: readonly string[]
  /** The ports that the enclave listens on. */
  readonly ports: readonly number[]
  readonly debugMode: boolean
  readonly manifestSet: Members
  readonly shareSet: Members
  readonly qosVersion: string
}
type Members = { readonly threshold: number; readonly operators: readonly Pick<TvcOperator, 'name' | 'publicKey'>[] }

/**
 * The manifest of a deployment in version 2 of QuorumOS, as the canonical JSON that operators approve.
 *
 * There is no enclave, so there are no measurements of one: they are empty, and no enclave fits them. Zeros would fit each enclave in debug
 * mode. What QuorumOS calls its commit is the version that the request names.
 *
 * @see https://github.com/tkhq/qos, src/qos_core/src/protocol/services/boot/manifest/v2.rs
 */
export const manifestOf = (parts: ManifestParts): string =>
  canonicalJson({
    version: 'v2',
    namespace: { name: `app-${parts.appId}`, nonce: parts.nonce, quorumKey: parts.quorumPublicKey },
    pivot: {
      hash: parts.expectedPivotDigest,
      restart: 'Never',
      bridgeConfig: parts.ports.map((port) => ({ type: 'server', port, host: '0.0.0.0' })),
      debugMode: parts.debugMode,
      args: parts.pivotArgs,
    },
    manifestSet: setOf(parts.manifestSet),
    shareSet: setOf(parts.shareSet),
    enclave: { pcr0: '', pcr1: '', pcr2: '', pcr3: '', awsRootCertificate: '', qosCommit: parts.qosVersion },
  })

/** What an operator signs. */
export const manifestHash = (manifest: string): Uint8Array => sha256(encodeUtf8(manifest))

const setOf = ({ threshold, operators }: Members): Json => ({
  threshold,
  members: operators.map(({ name, publicKey }) => ({ alias: name, pubKey: publicKey })),
})

/**
 * The canonical JSON of QuorumOS: as RFC 8785, but whole numbers are texts of decimal digits, and members that are null are left out.
 * A number with a fraction has no form.
 */
export const canonicalJson = (value: Json): string => {
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new Error('a manifest has whole numbers only') // a bug of ours
    return JSON.stringify(String(value))
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((entry: Json) => canonicalJson(entry)).join()}]`
  const members = Object.entries(value)
    .filter(([, inner]) => inner !== null)
    .toSorted(([a], [b]) => (a < b ? -1 : 1)) // by UTF-16 units, as RFC 8785 has it
    .map(([name, inner]: readonly [string, Json]) => `${JSON.stringify(name)}:${canonicalJson(inner)}`)
  return `{${members.join()}}`
}
