import { failure, type Failure, type Json } from '../../core/failure.ts'
import type { Facets, ReadModels, Row, RowChange } from '../../core/ports/read-models.ts'
import { byOrder, selectRows } from '../../core/ports/row-selection.ts'
import { E, type TE } from '../../core/prelude.ts'

/** What the index needs of read models. */
export type IndexModels = Pick<ReadModels, 'checkpoint' | 'move' | 'row' | 'rows' | 'drop'>

type Kept = { readonly key: string; readonly order: bigint; readonly facets: Facets; readonly value: Json }
type Space = Map<string, Kept | 'deleted'>
type Layer = {
  /** The checkpoint of the rows below, on which this layer was begun. */
  readonly on: bigint
  checkpoint: bigint
  /** Whether the rows below do not count any more. */
  isBare: boolean
  readonly spaces: Map<string, Space>
  size: number
}

/** How many rows are changed in memory: about 100 MB. */
const ROWS_MAX = 200_000

/**
 * The rows of one projection, changed in memory and nowhere else: so a store that is open for reading only sees what no other process has
 * projected yet. What was changed here is forgotten as soon as somebody changes the rows below.
 */
export const overlaid = (below: IndexModels, rowsMax = ROWS_MAX): IndexModels => {
  let layer: Layer | undefined

  /** The layer, if the rows below are still those that it was begun on. */
  const current = async (projection: string): Promise<E.Either<Failure, Layer | undefined>> => {
    if (layer === undefined) return E.right(undefined)
    const own = layer
    const found = await below.checkpoint(projection)()
    if (E.isLeft(found)) return found
    if (found.right !== own.on && layer === own) layer = undefined
    return E.right(layer)
  }

  const overlay =
    <A>(
      projection: string,
      run: (layer: Layer | undefined) => Promise<E.Either<Failure, A>>,
    ): TE.TaskEither<Failure, A> =>
    async () => {
      const found = await current(projection)
      return E.isLeft(found) ? found : run(found.right)
    }

  const began = (on: bigint): Layer =>
    (layer = { on, checkpoint: on, isBare: false, spaces: new Map<string, Space>(), size: 0 })

  const change = (own: Layer, { organization, key, ...rest }: RowChange): void => {
    const space = own.spaces.get(organization) ?? new Map<string, Kept | 'deleted'>()
    own.spaces.set(organization, space)
    if (!space.has(key)) own.size += 1
    if (rest._tag === 'put') space.set(key, { key, order: rest.order, facets: rest.facets, value: rest.value })
    else space.set(key, 'deleted')
  }

  const move: IndexModels['move'] = (projection, from, to, changes) => async () => {
    if (changes.some(({ _tag }) => _tag === 'merge')) throw new TypeError('the index merges no rows')
    const found = await current(projection)
    if (E.isLeft(found)) return found
    const stored = layer === undefined ? await below.checkpoint(projection)() : E.right(layer.checkpoint)
    if (E.isLeft(stored)) return stored
    if (stored.right !== from) return E.left(failure('CONFLICT', 'the index was moved by somebody else'))
    const own = layer ?? began(from)
    if (own.size + changes.length > rowsMax) return E.left(TOO_FAR)
    for (const one of changes) change(own, one)
    own.checkpoint = to
    return E.right(undefined)
  }

  const rows: IndexModels['rows'] = (projection, organization, selection) =>
    overlay(projection, async (own) => {
      const space = own?.spaces.get(organization)
      if (own === undefined || (space === undefined && !own.isBare))
        return below.rows(projection, organization, selection)()
      const above = selectRows(
        [...(space?.values() ?? [])].flatMap((kept) => (kept === 'deleted' ? [] : [kept])),
        selection,
      )
      // Each row above may hide one of those below.
      const wider = { ...selection, limit: selection.limit + (space?.size ?? 0) }
      const under = own.isBare ? E.right([]) : await below.rows(projection, organization, wider)()
      if (E.isLeft(under)) return under
      const all: readonly Row[] = [...above, ...under.right.filter(({ key }) => space?.has(key) !== true)]
      return E.right(
        all
          .toSorted(byOrder(selection.ascending ?? false))
          .slice(0, selection.limit)
          .map(({ key, order, value }) => ({ key, order, value })),
      )
    })

  return {
    checkpoint: (projection) =>
      overlay(projection, async (own) =>
        own === undefined ? below.checkpoint(projection)() : E.right(own.checkpoint),
      ),
    move,
    row: (projection, organization, key) =>
      overlay(projection, async (own) => {
        const kept = own?.spaces.get(organization)?.get(key)
        if (kept !== undefined) return E.right(kept === 'deleted' ? undefined : kept.value)
        return own?.isBare === true ? E.right(undefined) : below.row(projection, organization, key)()
      }),
    rows,
    drop: (projection) => async () => {
      const found = await below.checkpoint(projection)()
      if (E.isLeft(found)) return found
      const own = began(found.right)
      own.isBare = true
      own.checkpoint = 0n
      return E.right(undefined)
    },
  }
}

const TOO_FAR = failure(
  'UNAVAILABLE',
  'the index of activities is too far behind the log for a store that is open for reading only: open the store for writing once',
)
