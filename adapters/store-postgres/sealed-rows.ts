import { createHash } from 'node:crypto'
import type { Attempts } from '../../core/ports/attempts.ts'
import type { GonePlace, SealedPlace, SealedRow, SealedRows } from '../../core/ports/sealed-rows.ts'
import type { Row, Value } from './driver.ts'
import { sweep } from './parts.ts'
import type { Asking, Pool } from './pool.ts'
import { bytesOf } from './read-models.ts'
import type { Settings } from './settings.ts'
import { tablesOf } from './tables.ts'
import { inTransaction, lockSql, transactions } from './transaction.ts'

/**
 * Sealed rows in a table. A row without a kind is an id that is gone; one without an id closes its organization. Putting and deleting take a lock
 * per organization, so that nothing is put behind the closing. What is deleted or replaced leaves old rows in the files: `sweep` is for those.
 */
export const postgresSealedRows = (pool: Pool, settings: Settings, { attempt, write }: Attempts): SealedRows => {
  const t = tablesOf(settings.schema)
  const transacted = inTransaction(pool, settings)
  const reading = <A>(read: (on: Asking) => Promise<A>) => attempt(() => pool.lend(read))

  const locked = <A>(organization: string, work: (on: Asking) => Promise<A>): Promise<A> => {
    const name = JSON.stringify(['countersign sealed rows', settings.schema, organization])
    const lock = createHash('sha256').update(name).digest().readBigInt64BE(0)
    const transact = transactions(settings, lockSql({ lock }))
    return pool.lend((on) => transact(on, () => work(on)))
  }
  const swept = () => pool.lend((on) => sweep(on, [t.sealed], settings))

  /** Writes a place only where its organization is open, and says whether it did. */
  const insert = async (
    on: Asking,
    place: SealedPlace,
    content: readonly Value[],
    onConflict: string,
  ): Promise<boolean> => {
    const { rowCount } = await on.query(
      `INSERT INTO ${t.sealed} SELECT $1::bytea, $2::bytea, $3::bytea, $4::bytea, $5::bytea
      WHERE $2::bytea <> '' AND NOT EXISTS (SELECT 1 FROM ${t.sealed} WHERE organization = $1 AND id = '')
      ON CONFLICT (organization, id) ${onConflict}`,
      [...keyOf(place), ...content],
    )
    return rowCount === 1
  }
  const get = async (on: Asking, place: SealedPlace): Promise<SealedRow | undefined> => {
    const { rows } = await on.query(
      `SELECT ${COLUMNS} FROM ${t.sealed} WHERE organization = $1 AND id = $2`,
      keyOf(place),
    )
    const found = rows.map(entryOf)[0]
    return found === undefined || 'isGone' in found ? undefined : found
  }

  return {
    put: (row) =>
      write(() =>
        locked(row.organization, async (on) => {
          if (await insert(on, row, contentOf(row), 'DO NOTHING')) return 'put'
          return (await get(on, row)) === undefined ? 'gone' : 'there'
        }),
      ),
    get: (place) => reading((on) => get(on, place)),
    replace: (row, by) =>
      write(() =>
        transacted(async (on) => {
          const { rowCount } = await on.query(
            `UPDATE ${t.sealed} SET kind = $6, data_key = $7, bytes = $8
            WHERE organization = $1 AND id = $2 AND kind = $3 AND data_key = $4 AND bytes = $5`,
            [...keyOf(row), ...contentOf(row), ...contentOf(by)],
          )
          return rowCount === 1
        }),
      ),
    delete: (place) =>
      write(async () => {
        await locked(place.organization, (on) => insert(on, place, [null, null, null], FORGET))
        await swept() // also where there was no row: a putting that failed may have left its bytes
      }),
    deleteAll: (organization) =>
      write(async () => {
        await locked(organization, async (on) => {
          await on.query(`DELETE FROM ${t.sealed} WHERE organization = $1`, [bytesOf(organization)])
          await on.query(`INSERT INTO ${t.sealed} VALUES ($1, '')`, [bytesOf(organization)])
        })
        await swept()
      }),
    list: (after, limit) =>
      reading(async (on) => {
        const { rows } = await on.query(
          `SELECT ${COLUMNS} FROM ${t.sealed} ${after === undefined ? '' : 'WHERE (organization, id) > ($2, $3)'}
          ORDER BY organization, id LIMIT $1::int8`,
          [BigInt(limit), ...(after === undefined ? [] : keyOf(after))],
        )
        return rows.map(entryOf)
      }),
  }
}

const FORGET = 'DO UPDATE SET kind = NULL, data_key = NULL, bytes = NULL'
const COLUMNS = 'organization, id, kind, data_key, bytes'

const keyOf = ({ organization, id }: SealedPlace) => [bytesOf(organization), bytesOf(id)] as const
const contentOf = ({ kind, dataKey, bytes }: SealedRow) => [bytesOf(kind), bytesOf(dataKey), bytes] as const

const entryOf = (row: Row): SealedRow | GonePlace => {
  const [organization, id, kind, dataKey, bytes] = row as readonly [Uint8Array, Uint8Array, ...Content] // as selected
  const place = { organization: textOf(organization), id: textOf(id) }
  return kind === null ? { ...place, isGone: true } : { ...place, kind: textOf(kind), dataKey: textOf(dataKey), bytes }
}

type Content = readonly [Uint8Array, Uint8Array, Uint8Array] | readonly [null, null, null]

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString()
