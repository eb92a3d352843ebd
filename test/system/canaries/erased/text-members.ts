import { jsonSchemaOf, type JsonSchema } from '../../../../core/codec/json-schema.ts'
import type { Operation } from '../../../../core/definition/operation.ts'

const RANDOM = 'an id: random, or derived from a hash'
const AUDITED = 'an audit needs it, and the key dies with the user'
const ORGANIZATION = 'it belongs to the organization: do not write names of persons into it'
const MODEL = 'what kind of authenticator it is, which many persons have'
const OF_ERASURE = 'it says what was erased, and nothing of it'

/** Each text member of changes and results that is not personal, and why. Decision 039 says the same in words. */
export const NOT_PERSONAL: { readonly [member: string]: string } = {
  organizationId: RANDOM,
  userId: RANDOM,
  userIds: RANDOM,
  addUserIds: RANDOM,
  removeUserIds: RANDOM,
  tagIds: RANDOM,
  userTagId: RANDOM,
  userTagIds: RANDOM,
  policyId: RANDOM,
  policyIds: RANDOM,
  apiKeyId: RANDOM,
  apiKeyIds: RANDOM,
  authenticatorId: RANDOM,
  authenticatorIds: RANDOM,
  evictedApiKeyIds: RANDOM,
  publicKey: AUDITED,
  curve: AUDITED,
  webauthnId: AUDITED,
  rpIdHash: AUDITED,
  aaguid: MODEL,
  format: MODEL,
  transports: MODEL,
  organizationName: ORGANIZATION,
  allowedOrigins: ORGANIZATION,
  value: ORGANIZATION,
  userTagName: ORGANIZATION,
  policyName: ORGANIZATION,
  condition: ORGANIZATION,
  consensus: ORGANIZATION,
  time: ORGANIZATION,
  notes: ORGANIZATION,
  effect: ORGANIZATION,
  requests: OF_ERASURE,
  name: 'of a feature: one of eleven; or of a part that was erased',
  sequences: OF_ERASURE,
}

export type TextMembers = { readonly personal: ReadonlySet<string>; readonly others: ReadonlySet<string> }

/** The names of all members with text in the changes and results of operations. What is no text, no number and no object is text here. */
export const textMembersOf = (operations: readonly Operation[]): TextMembers => {
  const [personal, others] = [new Set<string>(), new Set<string>()]
  const visit = (schema: JsonSchema, member: string): void => {
    if (schema.description?.startsWith('personal:') === true) return void personal.add(member)
    for (const one of [...(schema.anyOf ?? []), ...(schema.allOf ?? [])]) visit(one, member)
    if (schema.additionalProperties !== undefined) visit(schema.additionalProperties, member)
    if (schema.items !== undefined) return visit(schema.items, member)
    for (const [name, inner] of Object.entries(schema.properties ?? {})) visit(inner, name)
    const isNumber = schema.type === 'number' || schema.type === 'integer' || schema.type === 'boolean'
    if (!isNumber && schema.type !== 'object' && schema.type !== 'null') others.add(member)
  }
  for (const { codecs } of operations)
    for (const codec of [codecs.change, codecs.result]) visit(jsonSchemaOf(codec), '')
  return { personal, others }
}
