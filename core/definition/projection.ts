import type * as t from 'io-ts'
import { AnyJson, decode } from '../codec/codec.ts'
import type { Json } from '../failure.ts'
import { timestamp, type Timestamp } from '../codec/timestamp.ts'
import { dataCodecs, millis, type Event, type EventType } from '../log/event.ts'
import type { Parts } from '../log/parts.ts'
import type { RowChange } from '../ports/read-models.ts'
import { E } from '../prelude.ts'
import { ownError } from '../telemetry/tell-thrown.ts'
import { unawaited } from './host-outcome.ts'
import type { Operation } from './operation.ts'

/**
 * A read model: a pure function from events to changes of rows. The engine runs it over the whole log, in order, and
 * stores rows and checkpoint in one transaction. `projection` makes one.
 */
export type Projection<Row = unknown> = {
  readonly name: string
  /** A new version is built from the first event, beside the old one. */
  readonly version: number
  /** The types of the events that it takes. It is not called for events of other types. */
  readonly types: readonly EventType[]
  /** Whether it needs the parts of events. Default: true. */
  readonly parts?: false
  /** Whether it needs the parents of organizations. Default: false; then nothing is read for them. */
  readonly parents?: true | undefined
  /** Reads the values of its rows, for queries. */
  readonly row: t.Decoder<unknown, Row>
  /** `parts`: the parts of the event, without its request. Rows keep their content after an erasure, until they are built again. */
  readonly project: Project
}

type Project = (event: Event, position: bigint, parts: Parts, parent?: Parent) => readonly RowChange[]

/** The organization above that of an event, and the position of the event with which the organization below it began. */
export type Parent = { readonly organizationId: string; readonly position: bigint }

/** Events that a projection takes, and the rows that it makes of them. Made by `completed`, `events` and `anyEvent`. */
export type Source = { readonly types: readonly EventType[]; readonly project: Project }

export type ProjectionSpec<Row> = Pick<Projection, 'name' | 'version' | 'parents'> & {
  /** The codec of the values of its rows. Default: any JSON. */
  readonly row?: t.Type<Row, unknown, unknown>
  /** If several sources take an event, their row changes are made in this order. */
  readonly on: readonly Source[]
}

/** A projection with one row for each completed activity of an operation, in the order of the log; its key is the activity's id. */
export type RowPerActivity<R, C, Row> = Pick<Projection, 'name' | 'version' | 'parents'> & {
  readonly of: Operation<string, unknown, R, C>
  readonly row: t.Type<Row, unknown, unknown>
  /** Gives the value of the row. */
  readonly from: (change: C, at: CompletedContext<R>) => NoInfer<Row>
}

/** What rows need of any event. */
export type EventContext = {
  readonly organization: string
  readonly activityId: string
  /** The event's place in the log of its organization. */
  readonly sequence: bigint
  /** Its place in the store, among the events of all organizations. */
  readonly position: bigint
  readonly atMs: number
  /** The same time, as objects of the wire have it. */
  readonly timestamp: Timestamp
  /** Those of the event, without its request: bytes, or `'erased'`. */
  readonly parts: Parts
  /** Of the organization, if it stands below another one and the projection asks for `parents`. */
  readonly parent?: Parent | undefined
}

export type CompletedContext<R> = EventContext & {
  readonly result: R
  /** The revision of the operation that wrote the change. */
  readonly revision: number
}

/**
 * Defines a projection.
 *
 * @example projection({ name: 'vaults', version: 1, of: createVault, row: Vault, from: ({ vaultId, name }) => ({ vaultId, name }) })
 * @example projection({ name: 'vaults', version: 1, on: [completed(createVault, ({ vaultId }, at) => [{ _tag: 'put', … }])] })
 */
export function projection<Row = Json>(spec: ProjectionSpec<Row>): Projection<Row>
export function projection<R, C, Row>(spec: RowPerActivity<R, C, Row>): Projection<Row>
export function projection<R, C, Row>(spec: ProjectionSpec<Row> | RowPerActivity<R, C, Row>): Projection<Row> {
  const { name, version, parents } = spec
  const on = 'on' in spec ? spec.on : [rowPerActivity(spec)]
  const types = [...new Set(on.flatMap((source) => source.types))]
  const sources = new Map(types.map((type) => [type, on.filter((source) => source.types.includes(type))]))
  return {
    name,
    version,
    types,
    parents,
    row: spec.row ?? (AnyJson as t.Mixed), // Row is Json then
    project: (event, position, parts, parent) =>
      (sources.get(event.type) ?? []).flatMap(({ project }) => unawaited(project(event, position, parts, parent))),
  }
}

const rowPerActivity = <R, C, Row>({ of, row, from }: RowPerActivity<R, C, Row>): Source =>
  completed(of, (change, at) => {
    const { organization, activityId: key, sequence: order } = at
    return [{ _tag: 'put', organization, key, order, facets: {}, value: row.encode(from(change, at)) as Json }] // codecs of rows give JSON
  })

/**
 * The completed activities of an operation, stored with any of its types of the wire. `rows` gets the change as the operation's codec
 * reads it. If the codec cannot read it, or the revision is newer than this version of the code, an error with the place of the event
 * is thrown, and the organization is parked.
 */
export const completed = <R, C>(
  operation: Operation<string, unknown, R, C>,
  rows: (change: C, at: CompletedContext<R>) => readonly RowChange[],
): Source => {
  const types = new Set(operation.versions.map(({ type }) => type))
  const { codecs } = operation
  const readChange = reader(codecs.change as t.Type<C, unknown, unknown>, `change of ${operation.type}`) // its own codec
  const readResult = reader(codecs.result as t.Type<R, unknown, unknown>, `result of ${operation.type}`) // its own codec
  const project: Source['project'] = (event, position, parts, parent) => {
    if (event.type !== 'ActivityCompleted' || !types.has(event.data.type)) return []
    const at = contextOf(event, position, parts, parent)
    const { change, result, revision } = event.data
    if (operation.formFrom(revision) === undefined)
      throw ownError(`this version does not know revision ${revision} of ${operation.type}${placeOf(at)}`)
    const context = {
      ...at,
      revision,
      get result() {
        return readResult(operation.personal.result(result, parts), at)
      },
    }
    return rows(readChange(operation.personal.change(change, parts), at), context)
  }
  return { types: ['ActivityCompleted'], project }
}

/** The events of some types. */
export const events = <const T extends EventType>(
  types: readonly T[],
  rows: (event: Extract<Event, { readonly type: T }>, at: EventContext) => readonly RowChange[],
): Source => ({
  types,
  // A projection calls it for events of these types alone.
  project: (event, position, parts, parent) =>
    rows(event as Extract<Event, { readonly type: T }>, contextOf(event, position, parts, parent)),
})

/** Every event. */
export const anyEvent = (rows: (event: Event, at: EventContext) => readonly RowChange[]): Source =>
  events(Object.keys(dataCodecs) as EventType[], rows) // its own keys

/** Reads the values of a projection's rows. It throws for one that the codec does not read: a bug, of which the caller is not told. */
export const rowReader = <A>({ name, row }: Projection<A>): ((value: unknown) => A) => reader(row, `row of ${name}`)

/** The name under which rows and checkpoint are kept. */
export const storedName = ({ name, version }: Pick<Projection, 'name' | 'version'>): string => `${name}@${version}`

const contextOf = (event: Event, position: bigint, parts: Parts, parent: Parent | undefined): EventContext => ({
  organization: event.organization,
  activityId: event.activity,
  sequence: event.sequence,
  position,
  atMs: millis(event.at),
  get timestamp() {
    return timestamp(millis(event.at))
  },
  parts,
  parent,
})

type Place = Pick<EventContext, 'organization' | 'sequence'>

const reader = <A>(codec: t.Decoder<unknown, A>, what: string) => {
  const read = decode(codec, what)
  return (input: unknown, at?: Place): A => {
    const decoded = read(input)
    if (E.isLeft(decoded)) throw ownError(`${decoded.left.message}${at === undefined ? '' : placeOf(at)}`)
    return decoded.right
  }
}

const placeOf = ({ organization, sequence }: Place): string => `, in the event ${sequence} of ${organization}`
