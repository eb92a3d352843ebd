import { jsonSchemaOf, type JsonSchema } from '../../../../core/codec/json-schema.ts'
import type { Version } from '../../../../core/definition/operation.ts'
import type { Json } from '../../../../core/failure.ts'
import { generateKey } from '../../../../adapters/signatures/signer.ts'

/** A text that was put into a member of a request. */
export type Canary = {
  readonly text: string
  /** The name of the member. */
  readonly member: string
  /** The type of the request on the wire. */
  readonly type: string
}

/** Values for members of these names, wherever they stand; undefined leaves a member out. */
export type Given = { readonly [member: string]: Json | undefined }

/** Makes texts that stand nowhere else, and remembers them. */
export const aviary = () => {
  const canaries: Canary[] = []
  const next = (member: string, type: string): string => {
    const number = canaries.length
    const letters = `canary${number}x${((number + 7) * 2_654_435_761).toString(36)}`
    const text =
      member === 'userPhoneNumber' ? `+1555${String(8_675_309 + number * 104_729).padStart(9, '0')}` : letters
    canaries.push({ text, member, type })
    return text
  }
  return { canaries, next }
}
export type Aviary = ReturnType<typeof aviary>

/** The parameters of a request, with a canary of its own in each text member. */
export const filled = ({ next }: Aviary, { type, codec }: Pick<Version, 'type' | 'codec'>, given: Given): Json => {
  if (codec === undefined) throw new Error(`${type} has no codec`)
  const textOf = (member: string): Json => {
    if (member === 'publicKey') return generateKey('API_KEY_CURVE_P256').publicKey
    const text = next(member, type)
    return inForm[member]?.(text) ?? text
  }
  const valueOf = (schema: JsonSchema, member: string): Json | undefined => {
    if (Object.hasOwn(given, member)) return given[member]
    if (schema.type === 'object') {
      const members = Object.entries(schema.properties ?? {}).map(
        ([name, inner]) => [name, valueOf(inner, name)] as const,
      )
      return Object.fromEntries(members.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
    }
    if (schema.type === 'array') {
      const item = schema.items?.type === undefined ? undefined : valueOf(schema.items, member)
      return item === undefined ? [] : [item]
    }
    if (schema.enum?.[0] !== undefined) return schema.enum[0]
    if (schema.type === 'string' && schema.format === undefined) return textOf(member)
    throw new Error(`${type}: say what ${member} is`)
  }
  return valueOf(jsonSchemaOf(codec), '') ?? {}
}

/** Members whose texts have a form. */
const inForm: { readonly [member: string]: (text: string) => string } = {
  userEmail: (text) => `${text}@example.com`,
  allowedOrigins: (text) => `https://${text}.example.com`,
  condition: (text) => `activity.type == '${text}'`,
  consensus: (text) => `approvers.any(user, user.id == '${text}')`,
  policyCondition: (text) => `activity.type == '${text}'`,
  policyConsensus: (text) => `approvers.any(user, user.id == '${text}')`,
}
