import * as t from '../../codec/t.ts'
import { limits } from '../../definition/limits.ts'
import { state, type DeepReadonly, type Organization } from '../../organization/state.ts'
import type { ResourceFacts } from '../../policy/fact.ts'
import { oneOf } from '../wallet/key-codecs.ts'

export const secretLimits = limits({ secrets: { default: 1_000, about: 'Per organization.' } })

/** How secrets are encrypted on their way. */
export const EncryptionSuite = oneOf(['TRANSPORT_ENCRYPTION_SUITE_ENCLAVE_ENCRYPT_V1'])

/** Encoders of the wire leave the empty text out. */
export const KeyValue = t.fields({ key: t.defaulted(t.string, ''), value: t.defaulted(t.string, '') })
export type KeyValue = t.TypeOf<typeof KeyValue>

export const NewSecret = t.fields({ secretId: t.string, staticProperties: t.array(KeyValue) }, { name: t.string })
const Secret = t.fields(
  { secretId: t.string, staticProperties: t.array(KeyValue), createdAtMs: t.number },
  { name: t.string },
)
export type Secret = DeepReadonly<t.TypeOf<typeof Secret>>

/** What is known of secrets, by id, in order of their imports. The secrets are with the keyring, under the same ids. */
export const secrets = state({ name: 'secrets', version: 1, codec: t.mapOf(Secret), initial: () => new Map() })

/** The keyword of a request that is about one secret. */
export const secretFact = (
  all: readonly { readonly staticProperties?: readonly KeyValue[] | undefined }[],
): ResourceFacts => {
  const [only, ...others] = all
  if (only === undefined || others.length > 0) return {}
  const entries = (only.staticProperties ?? []).map(({ key, value }) => [key, value] as const)
  return { secret: { static_properties: Object.fromEntries(entries) } }
}

/** As `secretFact`, for secrets that are there. One that is named twice is one. */
export const factOf = (organization: Organization, ids: readonly string[]): ResourceFacts =>
  secretFact([...new Set(ids)].flatMap((id) => secrets.of(organization).get(id) ?? []))
