import fc from 'fast-check'
import type { JsonSchema } from '../../../core/codec/json-schema.ts'
import type { Json } from '../../../core/failure.ts'
import { clientSecretOf } from '../../core/resources/bundle/border.ts'
import { onRampSecretOf } from '../../core/resources/on-ramp-credential/examples.ts'
import { qosKeySet } from '../../core/resources/tvc/qos-key-set.ts'

export const ORGANIZATION = '018f3c1e-0000-4000-8000-000000000002'

/** What somebody may send by a schema: nulls for what may be left out, members that nobody knows, and texts that often fit. */
export const sentFor = (schema: JsonSchema): fc.Arbitrary<Json> => {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(sentFor))
  if (schema.type === 'string') return fc.constantFrom(...textsFor(schema))
  if (schema.type === 'number' || schema.type === 'integer') return fc.constantFrom(1, 2, 0)
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'array') return fc.array(sentFor(schema.items ?? {}), { maxLength: 2 })
  if (schema.type !== 'object') return fc.constantFrom<Json>(null, 'a', 1, [], {})
  const { properties = {}, required = [] } = schema
  const members = Object.entries(properties).map(([name, member]): readonly [string, fc.Arbitrary<Json>] => [
    name,
    required.includes(name) ? sentFor(member) : fc.option(sentFor(member)),
  ])
  const model = Object.fromEntries([...members, ['unheardOf', fc.constantFrom<Json>(null, 1)]])
  return fc.record(model, { requiredKeys: [...required] })
}

const textsFor = ({ format, description = '' }: JsonSchema): readonly string[] => {
  if (format === 'uuid') return [ORGANIZATION, ORGANIZATION.replace('2', '3').toUpperCase()]
  if (/a bundle: JSON/.test(description)) return [BUNDLE, `{"more":1,${BUNDLE.slice(1)}`]
  if (/encrypted secret/.test(description)) return [clientSecretOf('a'), onRampSecretOf('a')]
  if (/QuorumOS/.test(description)) return [QOS_KEY, QOS_KEY.toUpperCase()]
  if (/a signature of 64/.test(description)) return ['1'.repeat(128)]
  if (/a SHA-256/.test(description)) return ['a'.repeat(64)]
  if (/a number in decimal/.test(description)) return ['100', '10.5']
  if (/hexadecimal|public key/.test(description)) return [P256_KEY, P256_KEY.toUpperCase()]
  if (/a path such as/.test(description)) return ['m', "m/44'/60'/0'/0/0"]
  if (/seconds/.test(description)) return ['3600', '1']
  if (/e-mail/.test(description)) return ['', 'ada@example.com']
  if (/phone/.test(description)) return ['', '+4930123456']
  if (/a UUID/.test(description)) return ['', ORGANIZATION]
  if (/a URL with exactly one/.test(description)) return ['', 'https://example.com/?code=%s']
  if (/https URL/.test(description)) return ['', 'https://example.com/logo.png']
  if (/a JSON object/.test(description)) return ['', '{"name":"ada"}']
  if (/OtpCode/.test(description)) return ['', 'It is {{.OtpCode}}.']
  return ['a', 'true', 'Ärger']
}

/** Two keys of operators, as QuorumOS writes them. */
const QOS_KEY = qosKeySet(Buffer.alloc(32, 1)).publicKey

/** What a client has encrypted, by its form. */
const BUNDLE = JSON.stringify({ encappedPublic: '04ab', ciphertext: 'CD' })

/** The generator of the curve. */
const P256_KEY = '036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296'
