import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { decodeUtf8, encodeHex, encodeUtf8 } from '../../bytes.ts'
import type { Failure } from '../../failure.ts'
import type { SealedPlace, SealedRows } from '../../ports/sealed-rows.ts'
import { E } from '../../prelude.ts'

/*
 * What can be done a number of times only, by all processes on one store together: each time is a row that is put where there is none. The rows of
 * one day are those of one organization, which is closed when the day is over. They have nothing that is sealed: a name is a MAC, and the
 * content is the owner.
 */

export type TakingRows = Pick<SealedRows, 'put' | 'get' | 'list' | 'deleteAll'>

export type Taking = {
  /** What is taken. Others do not find it out from the row. */
  readonly name: string
  /** Who takes it: the same owner takes nothing twice. */
  readonly owner: string
  /** How many owners there may be. */
  readonly max: number
}

/** Takes one of so many, for good. False where all of them are others'. */
export const taken = async (
  rows: Pick<TakingRows, 'put' | 'get'>,
  day: number,
  secret: Uint8Array,
  { name, owner, max }: Taking,
): Promise<E.Either<Failure, boolean>> => {
  const mac = macOf(secret, name)
  for (let number = 1; number <= max; number += 1) {
    const place = { organization: organizationOf(day, secret), id: `${mac} ${number}` }
    const put = await rows.put({ ...place, kind: KIND, dataKey: '', bytes: encodeUtf8(owner) })()
    if (E.isLeft(put)) return put
    if (put.right === 'put') return E.right(true)
    const found = await rows.get(place)()
    if (E.isLeft(found)) return found
    if (found.right !== undefined && decodeUtf8(found.right.bytes) === owner) return E.right(true)
  }
  return E.right(false)
}

/** Deletes what was taken for the days before one. */
export const deleteTakenBefore = async (rows: TakingRows, day: number): Promise<E.Either<Failure, void>> => {
  for (let after: SealedPlace = { organization: PREFIX, id: '' }; ;) {
    const page = await rows.list(after, PAGE)()
    if (E.isLeft(page)) return page
    let closed: string | undefined
    for (const row of page.right) {
      if (!row.organization.startsWith(PREFIX) || dayOf(row) >= day) return E.right(undefined)
      after = row
      if ('isGone' in row || row.organization === closed) continue
      const deleted = await rows.deleteAll(row.organization)()
      if (E.isLeft(deleted)) return deleted
      closed = row.organization
    }
    if (page.right.length < PAGE) return E.right(undefined)
  }
}

const KIND = 'taken'
const PREFIX = 'taken.'
const PAGE = 100

/** A day whose secret was deleted by a clock that was ahead has another one, and other rows: those of the first one are closed. */
const organizationOf = (day: number, secret: Uint8Array): string => `${PREFIX}${day}.${macOf(secret, '').slice(0, 8)}`

const dayOf = ({ organization }: SealedPlace): number => Number(organization.slice(PREFIX.length).split('.')[0])

const macOf = (secret: Uint8Array, name: string): string =>
  encodeHex(hmac(sha256, secret, encodeUtf8(`countersign taken ${name}`)))
