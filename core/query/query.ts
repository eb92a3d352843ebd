import type * as t from 'io-ts'
import { decode } from '../codec.ts'
import type { Failure, Json } from '../failure.ts'
import { unawaited } from '../operations/host-outcome.ts'
import type { Organization } from '../organization/organization.ts'
import type { Row, RowSelection } from '../ports/read-models.ts'
import { pipe, TE } from '../prelude.ts'

/** How the times of an activity are written: RFC 3339, or `{seconds, nanos}`. All other times are always objects. */
export type Timestamps = 'string' | 'object'

/** What a query may look at. All of it is durable before the answer leaves. */
export type QueryContext = {
  readonly organization: Organization
  /** The user who asks. */
  readonly caller: string
  readonly atMs: number
  /** The activity as the wire shows it to the caller; `ACTIVITY_NOT_FOUND` where there is none. */
  readonly activity: (activityId: string) => TE.TaskEither<Failure, Json>
  /**
   * Activities as the caller may see them, in the order of their ids. Where they would make the answer too long, only the
   * first of them, but at least one.
   */
  readonly activities: (activityIds: readonly string[]) => TE.TaskEither<Failure, readonly Json[]>
  /** What the rules said at each vote. */
  readonly evaluations: (activityId: string) => TE.TaskEither<Failure, readonly Json[]>
  /** A projection's rows of the organization, after the projection has passed all that the organization's log held when the query arrived. */
  readonly rows: (projection: string, selection: RowSelection) => TE.TaskEither<Failure, readonly Row[]>
  readonly row: (projection: string, key: string) => TE.TaskEither<Failure, Json | undefined>
}

export type QuerySpec<Q> = {
  /** The route's last segment. */
  readonly path: string
  /** One sentence for the reference. */
  readonly summary: string
  readonly request: t.Type<Q, unknown, unknown>
  /** The names of the answer's members, for the reference. */
  readonly answers: readonly string[]
  readonly answer: (request: Q, context: QueryContext) => TE.TaskEither<Failure, { readonly [member: string]: Json }>
}

/** The definition of one question, with its types sealed inside. Made by `query`. */
export type Query = {
  readonly path: string
  readonly summary: string
  readonly codec: t.Mixed
  readonly answers: readonly string[]
  readonly run: (body: unknown, context: QueryContext) => TE.TaskEither<Failure, { readonly [member: string]: Json }>
}

/** Defines a query: any credential of the organization may ask it, and policies are not consulted. */
export const query = <Q>(spec: QuerySpec<Q>): Query => ({
  path: spec.path,
  summary: spec.summary,
  codec: spec.request,
  answers: spec.answers,
  run: (body, context) =>
    pipe(
      TE.fromEither(decode(spec.request, 'request body')(body)),
      TE.flatMap((request) => unawaited(spec.answer(request, context))),
    ),
})
