import * as t from '../codec/t.ts'
import { refusal, type Refusal } from '../definition/refuse.ts'
import { fieldViolations } from '../failure.ts'

// Some clients write a missing limit as the empty text.
const Limit = t.refined(t.string, 'an integer from 1 to 100, in a string', (s) => /^([1-9][0-9]?|100)?$/.test(s))
const LIMIT_DEFAULT = 10

/**
 * Which page of a list is asked for. A page is newest first. The page behind `after` has the nearest newer things, also newest first; that
 * behind `before` has older ones.
 *
 * @param thing  what the cursors are ids of, such as `an activity`
 */
export const pagination = (thing: string) => {
  const Cursor = t.refined(t.string, `the id of ${thing}`, (s) => s === '' || t.Uuid.is(s))
  return t.fields({}, { limit: Limit, before: Cursor, after: Cursor }, ({ before, after }) =>
    before && after ? { member: 'after', expected: 'only one of before and after' } : undefined,
  )
}

export type Pagination = t.TypeOf<ReturnType<typeof pagination>>

/** A page as a selection has it: what comes behind a place, in one of the two directions. */
export type Page = { readonly limit: number; readonly ascending: boolean; readonly after: bigint | undefined }

/**
 * The page that is asked for.
 *
 * @param thing  completes the sentence "expected the id of …"
 * @param orderOf  gives the place of the thing with this id; `undefined` if there is none, which is refused
 */
export const pageOf = async (
  { limit, before, after }: Pagination,
  thing: string,
  orderOf: (id: string) => Promise<bigint | undefined>,
): Promise<Page> => {
  const id = before || after
  const order = id ? await orderOf(id.toLowerCase()) : undefined
  if (id && order === undefined)
    throw refusedAt(`paginationOptions.${before ? 'before' : 'after'}`, `expected the id of ${thing}`, 'no such id')
  return { limit: Number(limit || LIMIT_DEFAULT), ascending: Boolean(after), after: order }
}

/** The page of a list that is whole in memory, in the order of creation. */
export const pageIn = async <A>(
  all: readonly A[],
  options: Pagination = {},
  thing: string,
  idOf: (one: A) => string,
): Promise<readonly A[]> => {
  const { limit, ascending, after } = await pageOf(options, thing, async (id) => {
    const index = all.findIndex((one) => idOf(one) === id)
    return index < 0 ? undefined : BigInt(index)
  })
  const from = after === undefined ? all.length : Number(after)
  return (ascending ? all.slice(from + 1, from + 1 + limit) : all.slice(Math.max(0, from - limit), from)).toReversed()
}

/** Refuses a member of a query's request. */
export const refusedAt = (field: string, description: string, message = description): Refusal =>
  refusal(fieldViolations(`invalid request body at ${field}: ${message}`, [{ field, description }]))
