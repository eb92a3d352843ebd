import type { Operation } from '../../../core/definition/operation.ts'
import type { Query } from '../../../core/definition/query.ts'
import type { FailureCode } from '../../../core/failure-codes.ts'
import type { Json } from '../../../core/failure.ts'
import type { SoftwarePasskey } from '../world/software-passkey.ts'
import type { Border } from './bundle/border.ts'

/** The members of a request; those that are undefined are left out. To say so tells apart what may be left out from what was forgotten. */
export type Members = { readonly [member: string]: Given }
export type Given = Json | undefined | Members | readonly Given[]

/** What examples start from: an organization with a root user, who stamps every request, and another user. */
export type Scene = {
  readonly root: string
  readonly user: string
  /** A text of small letters and digits that stands nowhere else. The name of the member says what it is for. */
  readonly text: (member: string) => string
  readonly phoneNumber: (member: string) => string
  /** A public key of P-256 that nobody has. */
  readonly publicKey: () => string
  readonly passkey: () => SoftwarePasskey
  readonly border: Border
  /** Submits the example of an operation, and gives the result: so an example begins with what another one made. */
  readonly made: <R>(operation: Operation<string, unknown, R>, other?: Otherwise) => Promise<R>
  readonly asked: <A>(query: Query<string, unknown, A>, members?: Members) => Promise<A>
  /** The id and the fingerprint of an activity that was completed. */
  readonly activity: () => Promise<{ readonly id: string; readonly fingerprint: string }>
}

/** How a submitted example differs from that of the operation: in its type, or in members. */
export type Otherwise = { readonly type?: string; readonly members?: Members }

export type Make<A = Members> = (scene: Scene) => A | Promise<A>

/** A request that is refused, and why. */
export type Refused = { readonly request: Make<Members | null>; readonly code: FailureCode }

export type Elsewhere = 'apart' | 'below'

/** What an operation is shown with: a valid request of each type, and one that is refused. */
export type OperationExample = {
  readonly operation: Operation
  /** By type, the newest first. */
  readonly valid: ReadonlyMap<string, Make>
  readonly refused: Refused
  /** Members that the result has. A result has each member that its request has under the same name, too, unless it is undefined here. */
  readonly shows: (parameters: Members) => Members
  /**
   * Where it is played, if not where all others are: in an organization apart from theirs, or in one below it. Nothing can be asked there any
   * more when it is done.
   */
  readonly where: Elsewhere | undefined
}

/** What a query is shown with: a request, and what the answer must have, of lists at least one such entry. */
export type QueryExample = {
  readonly query: Query
  readonly asked: Make<{ readonly request: Members; readonly shows: Members }>
  /** One that is refused, where it is not only that of an organization that is not there. */
  readonly refused: Refused | undefined
}

type Refusal = readonly [request: Members | null | Make, code: FailureCode]

/**
 * The example of an operation.
 *
 * @example
 * example(updateUserTag, {
 *   valid: async ({ made, text }) => ({ ...(await made(createUserTag)), newUserTagName: text('newUserTagName') }),
 *   refused: [{ userTagId: NOBODY, addUserIds: [], removeUserIds: [] }, 'RESOURCE_NOT_FOUND'],
 * })
 */
export const example = (
  operation: Operation,
  parts: {
    /** Of the newest type. */
    readonly valid: Make
    /** Of each other type that is offered. */
    readonly older?: { readonly [type: string]: Make }
    readonly refused: Refusal
    readonly shows?: OperationExample['shows']
    readonly where?: Elsewhere
  },
): OperationExample => ({
  operation,
  valid: new Map([[operation.type, parts.valid], ...Object.entries(parts.older ?? {})]),
  refused: refusedBy(parts.refused),
  shows: parts.shows ?? (() => ({})),
  where: parts.where,
})

/** The example of a query. */
export const asking = (
  query: Query,
  asked: QueryExample['asked'],
  { refused }: { readonly refused?: Refusal } = {},
): QueryExample => ({ query, asked, refused: refused && refusedBy(refused) })

const refusedBy = ([request, code]: Refusal): Refused => ({
  request: typeof request === 'function' ? request : () => request,
  code,
})

/** A UUID that nothing has. */
export const NOBODY = '00000000-0000-4000-8000-000000000000'

/** Why a text of changes and results is not personal. */
export const ORGANIZATION = 'it belongs to the organization: do not write names of persons into it'
export const AUDITED = 'an audit needs it, and the key dies with the user'
export const PERSONAL = 'personal'
