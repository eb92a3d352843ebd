import * as t from 'io-ts'
import { decodeHex } from '../../../core/bytes.ts'
import { fields } from '../../../core/codec/fields.ts'
import { failure } from '../../../core/failure.ts'
import { E } from '../../../core/prelude.ts'
import type { CredentialKind } from '../../../core/organization/credential-kind.ts'

/** A made-up kind of credential: a badge has a number, by which its stamps name it, and a key that only the state knows. */
const Badge = fields(
  {
    kind: t.literal('badge'),
    credentialId: t.string,
    userId: t.string,
    label: t.string,
    number: t.string,
    publicKey: t.string,
    createdAtMs: t.number,
  },
  { expirationSeconds: t.number },
)
export type Badge = Readonly<t.TypeOf<typeof Badge>>

type BadgeStamp = {
  readonly kind: 'badge'
  readonly scheme: 'SIGNATURE_SCHEME_BADGE'
  readonly number: string
  readonly signature: Uint8Array
}

export const badge: CredentialKind<Badge, BadgeStamp, Pick<Badge, 'kind' | 'publicKey'>> = {
  kind: 'badge',
  header: 'X-Stamp-Attested',
  methodOf: ({ credentialId }) => ({ type: 'AUTHENTICATION_TYPE_API_KEY', id: credentialId }),
  codec: Badge,
  parse: (text) => {
    const [number = '', hex = ''] = text.split('.')
    const signature = decodeHex(hex)
    return signature === undefined
      ? E.left(failure('UNAUTHENTICATED', 'could not extract badge stamp'))
      : E.right({ kind: 'badge', scheme: 'SIGNATURE_SCHEME_BADGE', number, signature })
  },
  nameOf: ({ number }) => number,
  verify:
    ({ verify }) =>
    ({ signature }, message, { publicKey }) =>
      verify({ scheme: 'SIGNATURE_SCHEME_TK_API_P256', publicKey, signature, message }),
  accepts: () => true,
  keyIn: () => undefined,
  signatureOf: (_stamp, text) => text,
  facts: ({ number }) => ({ type: 'CREDENTIAL_TYPE_BADGE', credential_id: number }),
  refusals: {
    unknown: failure('CREDENTIAL_NOT_FOUND', 'could not find badge'),
    unknownBelow: failure('CREDENTIAL_NOT_FOUND', 'could not find badge'),
    several: failure('CREDENTIAL_CONFLICT', 'more than one badge'),
    invalid: failure('SIGNATURE_INVALID', 'could not verify badge signature'),
    nameIs: 'number',
  },
}
