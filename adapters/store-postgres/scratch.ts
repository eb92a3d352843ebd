/* Schemas that examinations make for their trials. */
import { refuse } from '../../core/ports/refusal.ts'
import type { Asking } from './pool.ts'
import { quote, tableNames, tablesOf } from './tables.ts'

/** The names of scratch schemas begin so. */
export const SCRATCH = 'countersign_doctor_'

/** Removes a scratch schema with all that is in it. */
export const dropScratch = async (on: Asking, schema: string): Promise<void> => {
  if (!schema.startsWith(SCRATCH)) throw refuse('INTERNAL', 'only scratch schemas are removed')
  await on.query(`DROP SCHEMA IF EXISTS ${quote(schema)} CASCADE`)
}

/** Puts all rows of one scratch schema in place of those of another, as text: what a dump and its restoration do. */
export const copyRows = async (on: Asking, from: string, to: string): Promise<void> => {
  if (![from, to].every((schema) => schema.startsWith(SCRATCH)))
    throw refuse('INTERNAL', 'only scratch schemas are copied')
  const [source, target] = [tablesOf(from), tablesOf(to)]
  for (const name of tableNames) {
    const { rows } = await on.query(`SELECT t::text FROM ${source[name]} t`)
    await on.query(`DELETE FROM ${target[name]}`)
    await on.query(`INSERT INTO ${target[name]} SELECT (row::${target[name]}).* FROM unnest($1::text[]) row`, [
      rows.map(([row]) => String(row)),
    ])
  }
}
