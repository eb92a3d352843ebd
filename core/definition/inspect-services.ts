import { failure, type Failure } from '../failure.ts'
import type { Attestations } from '../ports/attestations.ts'
import { E } from '../prelude.ts'
import type { DecodedIntent, Operation } from './operation.ts'
import type { Services } from './port.ts'
import { refuse } from './refuse.ts'
import { VERIFICATION_KEYS, type VerificationKeys } from './verification-keys.ts'

/** What `inspect` of operations may be given. */
export type InspectPorts = {
  /** Checks what authenticators say of new passkeys. */
  readonly attestations?: Attestations | undefined
  /** The public keys that sign verification tokens: of P-256, uncompressed, in hex. */
  readonly verificationKeys?: readonly string[] | undefined
  /** What operations of a host need besides. */
  readonly ports?: Services | undefined
}

/** The services for `inspect`, by name. In the place of what is missing of the engine's own stands something that refuses. */
export const inspectServices = ({
  attestations = noAttestations,
  verificationKeys,
  ports = {},
}: InspectPorts): Services => ({
  ...ports,
  attestations,
  [VERIFICATION_KEYS]: verificationKeys === undefined ? noKeys : { publicKeys: () => verificationKeys },
})

/** What stands where nobody knows the keys: no token can be checked. */
const noKeys: VerificationKeys = {
  publicKeys: () => {
    throw refuse('UNSUPPORTED', 'verification tokens cannot be checked here: the keys that sign them are not known')
  },
}

/** What stands where nothing that checks attestations was given: no passkey can be registered. */
const noAttestations: Attestations = {
  verify: () =>
    Promise.resolve(
      E.left(failure('UNSUPPORTED', 'passkeys cannot be registered or checked here: give `attestations`')),
    ),
}

/** Inspects a request with the services that its operation needs. */
export const inspectedBy = async (
  services: Services,
  { path, inspect, inspectNeeds }: Pick<Operation, 'path' | 'inspect' | 'inspectNeeds'>,
  decoded: DecodedIntent,
  signal: AbortSignal,
): Promise<E.Either<Failure, DecodedIntent>> => {
  if (inspect === undefined) return E.right(decoded)
  const missing = inspectNeeds.find((name) => services[name] === undefined)
  if (missing !== undefined)
    return E.left(failure('UNSUPPORTED', `${path} cannot be inspected here: it has no ports.${missing}`))
  const ports = Object.fromEntries(inspectNeeds.map((name) => [name, services[name]]))
  return inspect(decoded, { ports, signal })()
}
