import { jsonSchemaOf, type JsonSchema } from '../../../core/codec/json-schema.ts'
import type { Json } from '../../../core/failure.ts'
import { everyExample, queryExamples } from '../../core/resources/all-examples.ts'
import { json, parametersOf, sceneOf, type Door, type Words } from '../../core/resources/scene.ts'
import type { SoftwarePasskey } from '../../core/world/software-passkey.ts'

/* The examples as readers see them: what a reader has to put in stands in angle brackets. */

const ATTESTED: ReturnType<SoftwarePasskey['register']> = {
  challenge: '<challenge>',
  credentialId: '<credentialId>',
  clientDataJson: '<clientDataJson>',
  attestationObject: '<attestationObject>',
  transports: ['AUTHENTICATOR_TRANSPORT_INTERNAL'],
}
const words: Words = {
  text: (member) => `<${member}>`,
  phoneNumber: () => '+15550100123',
  publicKey: () => '<publicKey>',
  passkey: () => ({ register: () => ATTESTED }) as Pick<SoftwarePasskey, 'register'> as SoftwarePasskey, // all that a request needs
}

/** Examples read its claims: here it has none. */
const TOKEN = `<header>.${Buffer.from('{}').toString('base64url')}.<signature>`

/** What a client has signed differs each time. */
const SIGNED = { publicKey: '<publicKey>', message: '<what the token is used for>', signature: '<signature>' }

/** What an answer has, as far as its schema says. */
const sampleOf = (schema: JsonSchema, member: string): Json => {
  if (schema.enum?.[0] !== undefined) return schema.enum[0]
  if (schema.type === 'array') return [sampleOf(schema.items ?? {}, member.replace(/s$/, ''))]
  if (schema.type === 'number' || schema.type === 'integer') return 1
  if (schema.type !== 'object') return member === 'verificationToken' ? TOKEN : `<${member}>`
  const members = Object.entries(schema.properties ?? {})
  return Object.fromEntries(members.map(([name, inner]) => [name, sampleOf(inner, name)]))
}

const door: Door = {
  root: '<userId of a root user>',
  user: '<userId>',
  words: () => words,
  border: {
    encryptedTo: async () => '<what the client has encrypted>',
    targetIn: () => '<targetPublicKey>',
    targetPublicKey: () => '<targetPublicKey>',
    clientSecret: () => '<encryptedClientSecret>',
    loginBy: () => ({
      publicKey: '<the key of the token>',
      scheme: 'CLIENT_SIGNATURE_SCHEME_API_P256',
      message: '{"login":{"publicKey":"<publicKey>"},"tokenId":"<id of the token>","type":"USAGE_TYPE_LOGIN"}',
      signature: '<signature of the message>',
    }),
  },
  submit: async ({ codecs }) => ({
    id: '<activityId>',
    fingerprint: '<fingerprint>',
    result: sampleOf(jsonSchemaOf(codecs.result), ''),
  }),
  ask: async ({ codecs }) => sampleOf(jsonSchemaOf(codecs.answer), ''),
}

/** The blocks of pages, by type of an operation and by path of a query; a query without members of its own has none. */
export const exampleRequests = async (): Promise<ReadonlyMap<string, readonly string[]>> => {
  const shown = new Map<string, readonly string[]>()
  for (const example of everyExample)
    shown.set(example.operation.type, blocksOf(json(await parametersOf(door, example, example.operation.type))))
  for (const { query, asked } of queryExamples) {
    const { request } = await asked(sceneOf(door))
    if (Object.keys(request).length > 0) shown.set(query.path, blocksOf(json(request)))
  }
  return shown
}

const blocksOf = (request: Json): readonly string[] => [
  'For example:',
  `\`\`\`json\n${JSON.stringify(request, shown, 2)}\n\`\`\``,
]

const shown = (member: string, value: Json): Json => {
  if (member === 'clientSignature') return { ...(value as { readonly scheme: string }), ...SIGNED } // of a client
  if (typeof value === 'string' && ISSUED.test(value)) return '<oidcToken>' // it is signed anew each time
  return value === TOKEN ? '<verificationToken>' : value
}
const ISSUED = /^eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+$/
