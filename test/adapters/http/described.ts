import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { Json } from '../../../core/failure.ts'

/** What is wrong with values, by what a document says of them. */
export type Described = {
  /** @param path  as it is in the document, without `/public/v1/` */
  readonly request: (path: string, value: Json) => readonly string[]
  readonly answer: (path: string, status: number, value: Json) => readonly string[]
  readonly component: (name: string, value: Json) => readonly string[]
}

/** Reads the document with a validator of JSON Schema that is not ours; strict, so that a schema with a mistake throws. */
export const described = (document: { readonly [member: string]: Json }): Described => {
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, discriminator: true })
  formats.default(ajv)
  ajv.addVocabulary(Object.keys(document)) // a document is a schema to it, whose members mean nothing
  ajv.addSchema(document, 'openapi')
  const faults = (pointer: string, value: Json): readonly string[] => {
    const validate = ajv.getSchema(`openapi#/${pointer}`)
    if (validate === undefined) return [`the document has no ${pointer}`]
    void validate(value)
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`)
  }
  const content = 'content/application~1json/schema'
  const post = (path: string): string => `paths/${`/public/v1/${path}`.replaceAll('/', '~1')}/post`
  return {
    request: (path, value) => faults(`${post(path)}/requestBody/${content}`, value),
    answer: (path, status, value) =>
      status === 200
        ? faults(`${post(path)}/responses/200/${content}`, value)
        : faults(`components/responses/Status${status}/${content}`, value),
    component: (name, value) => faults(`components/schemas/${name}`, value),
  }
}

/**
 * What a validator of OpenAPI says, which is not ours either: all that it recommends, as errors. But there is no licence
 * in the document: whose API it is, is the host's affair.
 */
export const problemsOf = async (document: { readonly [member: string]: Json }): Promise<readonly string[]> => {
  const config = await createConfig({ extends: ['recommended-strict'], rules: { 'info-license': 'off' } })
  const problems = await lintFromString({ source: JSON.stringify(document), config, absoluteRef: 'openapi.json' })
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer ?? ''})`)
}
