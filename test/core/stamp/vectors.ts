import { decodeHex } from '../../../core/bytes.ts'
import { vectorFile } from '../../vectors.ts'

type Values = { readonly [name: string]: string }
type Section = {
  readonly id: string
  readonly blocks: readonly { readonly phase: string | null; readonly values: Values }[]
}

/** A passkey of the standard's examples: its registration and an assertion, each with its values by name. */
export type Vector = {
  readonly name: string
  readonly registration: (name: string) => Uint8Array
  readonly assertion: (name: string) => Uint8Array
}

/** The examples of Web Authentication Level 3, section "Test Vectors"; none where they are missing. */
export const vectors = (): readonly Vector[] =>
  (vectorFile<readonly Section[]>('webauthn-l3', 'webauthn-l3-vectors.json') ?? []).flatMap(({ id, blocks }) => {
    const phase = (wanted: string) => blocks.find((block) => block.phase === wanted)?.values
    const [registration, assertion] = [phase('registration'), phase('authentication')]
    if (registration === undefined || assertion === undefined) return []
    return [{ name: id.replace(PREFIX, ''), registration: reader(registration), assertion: reader(assertion) }]
  })

const PREFIX = 'sctn-test-vectors-'

const reader =
  (values: Values) =>
  (name: string): Uint8Array => {
    const bytes = decodeHex(values[name] ?? '-')
    if (bytes === undefined) throw new Error(`the vector has no ${name}`)
    return bytes
  }

/** The COSE key of an example: each attestation object ends with its authenticator data, and that with the key behind the credential's id. */
export const coseKeyOf = ({ registration }: Vector): Uint8Array => {
  const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
  const [object, id] = [registration('attestationObject'), registration('credential_id')]
  return object.subarray(latin1(object).lastIndexOf(latin1(id)) + id.length)
}
