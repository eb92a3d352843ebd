import { checkEngineOptions, checkLimits } from './check-options.ts'
import { checkServices, unsupportedFor } from './command/services.ts'
import type { Rules } from './deciding/proposal.ts'
import { catalogue, defaultsOf, type Catalogue } from './definition/catalogue.ts'
import { inspectServices } from './definition/inspect-services.ts'
import { BEGINNING } from './definition/begins.ts'
import type { Projection } from './definition/projection.ts'
import type { EngineOptions } from './engine.ts'
import type { Failure } from './failure.ts'
import { E } from './prelude.ts'
import { personalPlaces } from './resources/erasure/personal-places.ts'
import { DAY_SECRETS, type DaySecrets } from './resources/deployment-key/day-secrets.ts'
import { IDENTITY_ISSUER } from './resources/deployment-key/identity-issuer.ts'
import { ERASING } from './resources/erasure/erasing.ts'
import { DESTROYING } from './resources/wallet/destroying.ts'
import { withBeginning } from './resources/public-api.ts'

/* What an engine knows and decides by, from its options. */

/** The catalogue of the resources. Fails if an option is wrong, or a needed service is missing. */
export const knownBy = (options: EngineOptions): E.Either<Failure, Catalogue> => {
  const known = E.flatMap(() => catalogue(withBeginning(options.resources), options.timeZones))(
    checkEngineOptions(options),
  )
  const served = E.flatMap((found: Catalogue) =>
    checkServices(found, { ...inspectServices(options), ...ownServices(options) }),
  )(known)
  const limited = E.flatMap(() => E.flatMap((found: Catalogue) => checkLimits(found, options.limits ?? {}))(known))(
    served,
  )
  return E.isLeft(limited) ? limited : known
}

export const rulesBy = (options: EngineOptions, catalogue: Catalogue, secrets: DaySecrets | undefined): Rules => ({
  digest: options.signatures,
  catalogue,
  limits: { ...defaultsOf(catalogue), ...options.limits },
  waitingMax: options.waitingActivitiesMax ?? 10_000,
  denialsMax: options.denialsPerDayMax ?? 1_000,
  clockLagMaxMs: options.clockLagMaxMs,
  executeTwice: options.executeTwice ?? false,
  reveal: secrets && ((sealed) => secrets.open('result', sealed) ?? ''),
  unsupported: unsupportedFor({ ...options.ports, ...ownServices(options) }),
})

/** The names of the services that the engine itself has. */
const ownServices = ({ ports, store, publicUrl }: EngineOptions): { readonly [name: string]: true } => ({
  [BEGINNING]: true,
  [ERASING]: true,
  [DESTROYING]: true,
  [IDENTITY_ISSUER]: true,
  ...(ports?.['keyring'] !== undefined && publicUrl !== undefined ? { identityTokens: true } : {}),
  ...(ports?.['keyring'] !== undefined && store.sealed !== undefined ? { [DAY_SECRETS]: true } : {}),
})

/** The projections of the resources, and the index of personal data if the engine can erase it. */
export const projectionsBy = (known: Catalogue): readonly Projection[] =>
  known.byPath('erase_user') === undefined ? known.projections : [...known.projections, personalPlaces]
