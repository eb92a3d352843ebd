import { failure, type Failure } from '../../core/failure.ts'
import type { AttestationFormat, Attestations } from '../../core/ports/attestations.ts'
import type { Digest } from '../../core/ports/digest.ts'
import { E } from '../../core/prelude.ts'
import { readRegistration } from '../../core/stamp/registration.ts'
import { checkAndroidKey } from './android-key.ts'
import { checkAndroidSafetyNet } from './android-safetynet.ts'
import { checkApple } from './apple.ts'
import { checkFidoU2f } from './fido-u2f.ts'
import { loadLibrary, type Library } from './library.ts'
import { checkPacked } from './packed.ts'
import type { CheckStatement, Statement } from './statement.ts'
import { checkTpm } from './tpm.ts'

export type AttestationsOptions = {
  readonly digest: Pick<Digest, 'sha256'>
}

/**
 * Attestations over the parsers and signatures of `@simplewebauthn/server`, which is loaded at the first statement that is not `none`.
 *
 * @example const attestations = simpleWebAuthn({ digest: nodeDigest() })
 * @see docs/decisions/attestations.md
 */
export const simpleWebAuthn = ({ digest }: AttestationsOptions): Attestations => {
  const read = readRegistration(digest.sha256)
  return {
    verify: async (registration) => {
      const registered = read(registration)
      if (E.isLeft(registered)) return registered
      const { object, attested, clientDataHash, key, kept } = registered.right
      const { format, statement: members, authenticatorData } = object
      if (!isFormat(format)) return E.left(unknownFormat)
      const checked = await check(format, { members, authenticatorData, attested, clientDataHash, key })
      return E.map(() => ({ ...kept, format }))(checked)
    },
  }
}

const FORMATS: { readonly [format in Exclude<AttestationFormat, 'none'>]: CheckStatement } = {
  packed: checkPacked,
  tpm: checkTpm,
  'android-key': checkAndroidKey,
  'android-safetynet': checkAndroidSafetyNet,
  apple: checkApple,
  'fido-u2f': checkFidoU2f,
}

const isFormat = (format: string): format is AttestationFormat => format === 'none' || Object.hasOwn(FORMATS, format)

const check = async (format: AttestationFormat, statement: Statement): Promise<E.Either<Failure, void>> => {
  if (format === 'none')
    return statement.members.size === 0 ? E.right(undefined) : refused(format, 'is not empty, but must be')
  let library: Library
  try {
    library = await loadLibrary()
  } catch {
    return E.left(failure('INTERNAL', 'cannot load @simplewebauthn/server, which checks passkeys; install it again'))
  }
  const wrong = await FORMATS[format](library, statement)
  return wrong === undefined ? E.right(undefined) : refused(format, wrong)
}

const refused = (format: AttestationFormat, wrong: string): E.Either<Failure, never> =>
  E.left(failure('REQUEST_INVALID', `the attestation statement of the passkey, of the format ${format}, ${wrong}`))

const unknownFormat = failure(
  'REQUEST_INVALID',
  `the attestation of the passkey has a format that is not known; expected none or one of ${Object.keys(FORMATS).join(', ')}`,
)
