import type * as t from 'io-ts'
import { parseEnvelope } from '../activity/envelope.ts'
import { decode } from '../codec/codec.ts'
import type { Failure, Json } from '../failure.ts'
import { E } from '../prelude.ts'
import { noParts, type Parts } from '../log/parts.ts'
import { outcomeOf, unawaited } from './host-outcome.ts'
import { camelCase, versionSuffix } from './operation-names.ts'
import type { OperationSpec } from './operation-spec.ts'
import type { DecodedIntent, Intent } from './operation.ts'
import { valueOf } from './refuse.ts'

/** An older or newer form of an operation on the wire: it translates intents and results; replay never sees it. */
export type VersionSpec<I, R> = {
  /** The type on the wire, with its version suffix. */
  readonly type: string
  /** The codec of `parameters`, for the reference. `decodes` gives `codec` and `decodeIntent` together. */
  readonly codec?: t.Mixed
  /** The member of `activity.intent`. Default: derived from path and type. */
  readonly intentName?: string | undefined
  readonly resultName?: string | undefined
  /** Reads `parameters`, or refuses them. */
  readonly decodeIntent: (parameters: unknown) => { readonly echo: Json; readonly intent: I }
  /** Writes the result in this form. Default: the operation's own `encodeResult`. */
  readonly encodeResult?: (result: R, parts: Parts, reveal: Reveal) => Json
}

/**
 * Opens a text of a result that was sealed under the secret of the day: for the requester of the activity, as long as there is that secret. For
 * everybody else, and later, it gives the empty text.
 */
export type Reveal = (sealed: string) => string

/** Reads the requests of one type of the wire, and writes their results. */
export type Version = {
  readonly type: string
  readonly intentName: string
  readonly resultName: string
  /** Reads `parameters`: gives the JSON that answers echo, and the intent in its newest form. */
  readonly decodeIntent: (parameters: unknown) => E.Either<Failure, DecodedIntent>
  /** Writes the result in this version. `parts`: the parts of the conclusion, if it has any. Default of `reveal`: nothing is opened. */
  readonly encodeResult: (result: Json, parts?: Parts, reveal?: Reveal) => Json
  /** Whether `encodeResult` gives the result just as the operation's own codec writes it. */
  readonly isPlainResult: boolean
  /** The codec of `parameters`, for the reference. */
  readonly codec: t.Mixed | undefined
}

/**
 * Reads a form of an operation with one codec, and translates it into the newest form. `echo` is what the codec encodes.
 *
 * @param upgrade  translates, or refuses what the newest form cannot express
 * @example { type: 'ACTIVITY_TYPE_CREATE_USERS_V3', ...decodes(CreateUsersIntentV3, ({ users }) => ({ users: users.map(toV4) })) }
 */
export const decodes = <A, I>(
  codec: t.Type<A, unknown, unknown>,
  upgrade: (older: A) => I,
): Required<Pick<VersionSpec<I, never>, 'codec' | 'decodeIntent'>> => ({
  codec,
  decodeIntent: (parameters) => {
    const older = valueOf(decode(codec, 'parameters')(parameters))
    return { echo: codec.encode(older) as Json, intent: upgrade(older) } // codecs of the wire give JSON
  },
})

/** The intent in the body of a request, if a version of its operation can read it. */
export const decodedIn = (version: Pick<Version, 'decodeIntent'>, body: Uint8Array): DecodedIntent | undefined => {
  const envelope = parseEnvelope(body)
  const decoded = E.isRight(envelope) ? version.decodeIntent(envelope.right.parameters) : envelope
  return E.isRight(decoded) ? decoded.right : undefined
}

/** The types of the wire that submit an operation, the newest first. */
export const versionsOf = <I, R>(
  spec: Pick<
    OperationSpec<I, R, unknown, unknown>,
    'type' | 'path' | 'intentName' | 'resultName' | 'intent' | 'wire' | 'versions' | 'encodeResult'
  >,
  seal: (intent: I) => Intent,
  withPersonal: (result: Json, parts: Parts) => Json,
): readonly Version[] => {
  const newest: VersionSpec<I, R> = {
    type: spec.type,
    ...(spec.wire ?? decodes(spec.intent, (intent) => intent)),
    intentName: spec.intentName,
    resultName: spec.resultName,
  }
  return [newest, ...(spec.versions ?? [])].map((version) => ({
    type: version.type,
    intentName: version.intentName ?? `${camelCase(spec.path)}Intent${versionSuffix(version.type)}`,
    resultName: version.resultName ?? spec.resultName ?? `${camelCase(spec.path)}Result`,
    decodeIntent: (parameters) =>
      E.map(({ echo, intent }: { echo: Json; intent: I }) => ({ echo, intent: seal(intent) }))(
        outcomeOf(`the codec of ${version.type}`, () => version.decodeIntent(parameters)),
      ),
    encodeResult: (result, parts = noParts, reveal = () => '') => {
      const encode = version.encodeResult ?? spec.encodeResult
      const whole = withPersonal(result, parts)
      return encode === undefined ? whole : unawaited(encode(whole as R, parts, reveal)) // `execute` encoded it with this operation's codec
    },
    isPlainResult: (version.encodeResult ?? spec.encodeResult) === undefined,
    codec: version.codec,
  }))
}
