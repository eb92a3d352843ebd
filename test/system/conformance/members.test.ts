import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { jsonSchemaOf, type JsonSchema } from '../../../core/codec/json-schema.ts'
import { publicOperations } from '../../core/world/with-host.ts'
import { specification, type Definition, type Specification } from './specification.ts'

const it = suite('the members of intents and results')

/** What is not as the definitions have it, and why. */
const DEVIATIONS: { readonly [place: string]: string } = {
  'credProps.rk: need not be there': 'a browser says nothing that is kept',
  'SET_ORGANIZATION_FEATURE.value: need not be there': 'encoders of the wire leave the empty text out',
  'DELETE_PAYMENT_METHOD.paymentMethodId: need not be there': 'null, or left out, means the one that there is',
  'CREATE_POLICY_V3.notes: need not be there': 'encoders of the wire leave the empty text out',
  'CREATE_POLICIES.policies.0.notes: need not be there': 'encoders of the wire leave the empty text out',
  'createSubOrganizationResultV8.privateKeys: ours': 'made by the third version alone, whose answer has them, too',
  'Result.cardHolderId: ours': 'a part of the log only: answers do not have it',
  'Result.requesterId: ours': 'a part of the log only: answers do not have it',
  'Result.payerId: ours': 'a part of the log only: answers do not have it',
  'initOtpResultV2.otpEncryptionTargetBundle: need not be there': 'the answers of older versions do not have it',
  'otpLoginResult.userId: ours': 'a part of the log only: answers do not have it',
  'oauthLoginResult.userId: ours': 'a part of the log only: answers do not have it',
  'stampLoginResult.userId: ours': 'a part of the log only: answers do not have it',
}

/** Where a codec has other members than a definition, or asks for other ones. */
function* differences(spec: Specification, schema: JsonSchema, definition: Definition, at: string): Generator<string> {
  const { $ref } = definition
  const known = $ref === undefined ? definition : spec.definitions[$ref.replace('#/definitions/', '')]
  if (known === undefined) return
  if (known.items !== undefined) {
    if (schema.items !== undefined) yield* differences(spec, schema.items, known.items, `${at}.0`)
    return
  }
  if (known.properties === undefined) return
  const { properties: own = {}, required = [] } = schema.anyOf?.find(({ properties }) => properties) ?? schema
  for (const member of Object.keys(own)) if (known.properties[member] === undefined) yield `${at}.${member}: ours`
  for (const [member, theirs] of Object.entries(known.properties)) {
    const mine = own[member]
    if (mine === undefined) yield `${at}.${member}: missing`
    else {
      const isRequired = known.required?.includes(member) === true
      if (isRequired && !required.includes(member)) yield `${at}.${member}: need not be there`
      if (!isRequired && required.includes(member) && !at.includes('Result')) yield `${at}.${member}: must be there`
      yield* differences(spec, mine, theirs, `${at}.${member}`)
    }
  }
}

it('are those of the definitions', () => {
  const spec = specification
  if (spec === undefined) return
  const refOf = (name: string | undefined): Definition => ({ $ref: `#/definitions/${name}` })
  const found = publicOperations.flatMap(({ versions, codecs, type: newest }) => [
    ...versions.flatMap(({ type, codec }) =>
      codec === undefined
        ? []
        : [
            ...differences(
              spec,
              jsonSchemaOf(codec),
              refOf(spec.activityTypes[type]?.intent),
              type.replace(/^ACTIVITY_TYPE_/, ''),
            ),
          ],
    ),
    ...differences(
      spec,
      jsonSchemaOf(codecs.result),
      refOf(spec.activityTypes[newest]?.result),
      spec.activityTypes[newest]?.resultKey ?? '',
    ),
  ])
  const places = Object.keys(DEVIATIONS)
  assert.equal(found.filter((one) => !places.some((place) => one.includes(place))), []) // prettier-ignore
  assert.equal(places.filter((place) => !found.some((one) => one.includes(place))), []) // prettier-ignore
})

it.run()
