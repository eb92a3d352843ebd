import { jsonSchemaOf, type JsonSchema } from '../../../core/codec/json-schema.ts'
import type { Operation } from '../../../core/definition/operation.ts'

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
