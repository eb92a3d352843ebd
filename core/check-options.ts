import type { Catalogue } from './definition/catalogue.ts'
import type { Limits } from './definition/limits.ts'
import type { EngineOptions, OptionsWithBug, Tuning } from './engine.ts'
import { isObject } from './codec/codec.ts'
import { failure, type Failure } from './failure.ts'
import { checkOptions, type OptionKind } from './options.ts'
import { TimeZonesVersion } from './log/decision.ts'
import type { SealedRows } from './ports/sealed-rows.ts'
import type { TimeZones } from './ports/time-zones.ts'
import { E, pipe } from './prelude.ts'

/** All options of an engine. For numbers: the least with which the engine works. */
const KINDS: { readonly [Name in keyof Required<OptionsWithBug>]: OptionKind } = {
  store: 'object',
  signatures: 'object',
  attestations: 'object',
  timeZones: 'object',
  turns: 'object',
  clock: 'object',
  ids: 'object',
  resources: 'list',
  ports: 'object',
  storeIsCopy: 'boolean',
  webhooks: 'object',
  publicUrl: 'string',
  limits: 'object',
  waitingActivitiesMax: 0,
  denialsPerDayMax: 0,
  queriesMustBeFresh: 'boolean',
  clockLagMaxMs: 0,
  tuning: 'object',
  executeTwice: 'boolean',
  telemetry: 'object',
  onNotice: 'function',
  answersFromPendingState: 'boolean',
}

const TUNING: { readonly [Name in keyof Required<Tuning>]: OptionKind } = {
  organizationsMax: 1,
  snapshotEvery: 1,
  commandsAtOnce: 1,
  effectsAtOnce: 1,
  effectsAtOncePerOrganization: 1,
  leaseMs: 1_000,
  waitForEffectsMs: 0,
  waitForEffectsMax: 1,
  inspectWithinMs: 1,
  inspectionsAtOnce: 1,
  closeWithinMs: 0,
}

/** Refuses options that are missing, wrong or misspelled. */
export const checkEngineOptions = (options: EngineOptions): E.Either<Failure, void> =>
  pipe(
    checkOptions(options, KINDS, ['store', 'signatures', 'clock', 'ids', 'resources']),
    E.flatMap(() => within('tuning', checkOptions(options.tuning ?? {}, TUNING))),
    E.flatMap(() => checkStorage(options.store)),
    E.flatMap(() => checkTimeZones(options.timeZones)),
    E.flatMap(() => checkPublicUrl(options.publicUrl)),
  )

/** It is compared to the byte with what tokens say, and paths are appended to it. */
const checkPublicUrl = (given: string | undefined): E.Either<Failure, void> => {
  const url = given !== undefined && URL.canParse(given) ? new URL(given) : undefined
  const isUsable = url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  return given === undefined || (isUsable && /^[^\s?#]{1,1024}$/.test(given))
    ? E.right(undefined)
    : E.left(
        failure(
          'CONFIGURATION_INVALID',
          'publicUrl: expected a URL such as https://id.example.com, without user, query and fragment',
        ),
      )
}

/** Decisions name the version, and a log with another name could not be read. */
const checkTimeZones = (given: TimeZones | undefined): E.Either<Failure, void> =>
  given === undefined || TimeZonesVersion.is(given.version)
    ? E.right(undefined)
    : E.left(failure('CONFIGURATION_INVALID', 'timeZones: expected a version of 1 to 32 printable ASCII characters'))

/** Refuses what is no store. */
export const checkStorage = (given: unknown): E.Either<Failure, void> =>
  !isObject(given) || !isObject(given['store']) || !isObject(given['readModels'])
    ? E.left(
        failure('CONFIGURATION_INVALID', 'store: expected a store, such as memoryStore() or sqliteStore({ path })'),
      )
    : within('store', checkSealed(given['sealed']))

const SEALED: readonly (keyof SealedRows)[] = ['put', 'get', 'replace', 'delete', 'deleteAll', 'list']

const checkSealed = (given: unknown): E.Either<Failure, void> => {
  if (given === undefined) return E.right(undefined)
  const missing = SEALED.find((name) => !isObject(given) || typeof given[name] !== 'function')
  return missing === undefined
    ? E.right(undefined)
    : E.left(failure('CONFIGURATION_INVALID', `sealed: expected sealed rows with a method ${missing}`))
}

/** Refuses limits that no resource has, and those that are no numbers. */
export const checkLimits = ({ limits }: Pick<Catalogue, 'limits'>, given: Limits): E.Either<Failure, void> =>
  within('limits', checkOptions(given, Object.fromEntries([...limits.keys()].map((name) => [name, 0]))))

const within = (group: string, checked: E.Either<Failure, void>): E.Either<Failure, void> =>
  E.mapLeft(({ code, message }: Failure): Failure => ({ code, message: `${group}.${message}` }))(checked)
