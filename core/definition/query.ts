import type * as t from 'io-ts'
import { decode, type JsonObject } from '../codec/codec.ts'
import type { Failure } from '../failure.ts'
import type { SigningKey } from '../identity/signing-key.ts'
import type { Issued } from '../organization/issued-key.ts'
import type { Given, Organization } from '../organization/state.ts'
import type { Tip } from '../log/chain.ts'
import type { Language } from '../policy/expression.ts'
import type { Factors } from '../policy/factors.ts'
import type { TimeZones } from '../ports/time-zones.ts'
import type { ActivitySelection } from '../ports/event-store.ts'
import type { RowSelection } from '../ports/read-models.ts'
import { E, type TE } from '../prelude.ts'
import { ownError } from '../telemetry/tell-thrown.ts'
import type { ShownActivity, ShownEvaluations } from '../view/activity-view.ts'
import type { Find } from './find.ts'
import { outcomeLater } from './host-outcome.ts'
import type { Projection } from './projection.ts'

/** The context of a query. All of its data is durable before the answer leaves. Its promises reject with refusals, which `run` may let pass. */
export type QueryContext = Find & {
  readonly organization: Organization
  /** The last event in that state: its sequence, and the hash of its line. */
  readonly head: Tip
  /** The organization that has the caller as a user: this one, or its parent. */
  readonly home: Organization
  /** The user who asks, in `home`. */
  readonly caller: string
  /** How the key came about by which they ask; `undefined` if somebody has registered it, or if they ask in another way. */
  readonly issued?: Issued | undefined
  readonly atMs: number
  /** Names a text as the work of operations does by `nameOf` of the day's secrets; `undefined` where the engine has no keyring. */
  readonly nameOf: (text: string) => string | undefined
  /**
   * The key that has signed an identity token, as the engine's service `identityTokens` finds it: `INVALID_OIDC_TOKEN` if there is none, `UNAVAILABLE` if
   * the provider does not answer, and `UNSUPPORTED` where the engine has no such service.
   */
  readonly keyOfToken: (token: string) => Promise<SigningKey>
  /** The public keys that sign verification tokens, of P-256, uncompressed, in hex; none where the engine has no keyring. */
  readonly verificationKeys: readonly string[]
  /** The policy language of the engine, and the time zones in which it reads policies. */
  readonly language: Language
  readonly timeZones: TimeZones
  /** The activity as the wire shows it to the caller; `ACTIVITY_NOT_FOUND` if there is none. */
  readonly activity: (activityId: string) => Promise<ShownActivity>
  /**
   * Activities as the wire shows them to the caller, in the order of the given ids. If they make the answer too long, only the first
   * of them, but at least one.
   */
  readonly activities: (activityIds: readonly string[]) => Promise<readonly ShownActivity[]>
  /** Whether the engine has an operation with this type, in any of its forms. */
  readonly knowsType: (type: string) => boolean
  /** Ids of the organization's activities, by type and status, in the order of their first events. */
  readonly activityIds: (selection: ActivitySelection) => Promise<readonly string[]>
  /** The sequence of the activity's first event; `undefined` if there is no such activity. */
  readonly beginningOf: (activityId: string) => Promise<bigint | undefined>
  /** The outcome of each policy at each vote. */
  readonly evaluations: (activityId: string) => Promise<readonly ShownEvaluations[]>
  /** The second factors of those who have voted on the activity: of each with an MFA policy that counts for it. */
  readonly factors: (activityId: string) => Promise<readonly Factors[]>
  /**
   * A projection's rows of the organization, as its `row` reads them. It first waits until the projection has taken all events that the log
   * held when the query arrived.
   */
  readonly rows: <A>(projection: Projection<A>, selection: RowSelection, options?: RowsOptions) => Promise<readonly A[]>
  readonly row: <A>(projection: Projection<A>, key: string, options?: RowsOptions) => Promise<A | undefined>
  /**
   * What `read` gives of the state of an organization below this one; `undefined` if no such organization is below it, or if that one has
   * ended. No other organization can be read. The state is durable, and has all that was durable at the call. `read` may be called again.
   */
  readonly below: <A>(organizationId: string, read: (child: Organization) => A) => Promise<A | undefined>
  /**
   * What `read` gives of the state of the organization that is not below another one: of this one, or of its parent; `undefined` if the parent
   * is not in the store. The state is durable, and has all that was durable at the call. `read` may be called again.
   */
  readonly onTop: <A>(read: (organization: Organization) => A) => Promise<A | undefined>
}

export type RowsOptions = {
  /**
   * Whose events the projection has to have taken: those of the query's organization, or those of the whole store, for rows that come from
   * events of other organizations. Default: `'organization'`.
   */
  readonly of?: 'organization' | 'store'
}

/** `A`: what `run` gives for the answer. */
export type QuerySpec<Path extends string, Request, Answer, A extends Given<Answer> = Given<Answer>> = {
  /** The route's last segment. */
  readonly path: Path
  /** One sentence for the reference. */
  readonly summary: string
  /**
   * Whether a credential that the organization does not have is looked for in those below it. If one of them has it, the query is answered
   * there. Default: no.
   */
  readonly searchesBelow?: boolean
  readonly request: t.Type<Request, unknown, unknown>
  /** The codec of an object: it checks and writes the answer. */
  readonly answer: t.Type<Answer, unknown, unknown>
  /**
   * Finds the answer, or refuses by `throw refuse(…)`. If the codec refuses the answer, this is a bug: the caller gets `INTERNAL`, and the
   * operator a notice.
   */
  readonly run: (request: Request, context: QueryContext) => A | Promise<A>
}

/**
 * The definition of one query. Made by `query`. A `Query<Path, Request, Answer>` is also a `Query`, so that lists can hold all
 * queries; code that has the definition itself, such as a client, knows its types.
 */
export type Query<Path extends string = string, Request = unknown, Answer = unknown> = {
  readonly path: Path
  readonly summary: string
  readonly searchesBelow: boolean
  /** The decoders of the bodies on the wire. */
  readonly codecs: { readonly request: t.Decoder<unknown, Request>; readonly answer: t.Decoder<unknown, Answer> }
  /** Gives the answer as the wire carries it. The answer is a copy: it does not change with the state. */
  readonly run: (body: unknown, context: QueryContext) => TE.TaskEither<Failure, JsonObject>
}

/**
 * Defines a query: any credential of the organization may ask it, and policies are not consulted. The built-in queries are made
 * with this same function.
 */
export const query = <const Path extends string, Request, Answer, const A extends Given<NoInfer<Answer>>>(
  spec: QuerySpec<Path, Request, Answer, A>,
): Query<Path, Request, Answer> => ({
  path: spec.path,
  summary: spec.summary,
  searchesBelow: spec.searchesBelow ?? false,
  codecs: { request: spec.request, answer: spec.answer },
  run: (body, context) => async () => {
    const request = decode(spec.request, 'request body')(body)
    if (E.isLeft(request)) return request
    const answer = await outcomeLater<Given<Answer>>(spec.path, () => spec.run(request.right, context))
    return E.map((given: Given<Answer>) => written(spec, given))(answer)
  },
})

/** Checks the whole answer before it writes any of it, so that half an answer never leaves. */
const written = <Path extends string, Request, Answer>(
  { path, answer: codec }: QuerySpec<Path, Request, Answer>,
  answer: Given<Answer>,
): JsonObject => {
  if (codec.is(answer)) return codec.encode(answer) as JsonObject // codecs of the wire give JSON
  throw ownError(`${path}: ${whyNot(codec, answer as Answer)}`) // a codec only reads what it writes
}

/** Says where an answer does not fit its codec, without its values. */
const whyNot = <Answer>(codec: t.Type<Answer, unknown, unknown>, answer: Answer): string => {
  const read = E.tryCatch(
    () => decode(codec, 'answer')(codec.encode(answer)),
    () => undefined,
  )
  return E.isRight(read) && E.isLeft(read.right) ? read.right.left.message : 'invalid answer: its own codec refuses it'
}
