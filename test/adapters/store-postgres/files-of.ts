import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PostgresServer } from './server/server.ts'

/** The files of a table and of its large values, one behind the other; undefined if they are not on this machine. */
export const filesOf = async ({ run }: Pick<PostgresServer, 'run'>, table: string): Promise<Buffer | undefined> => {
  await run('CHECKPOINT')
  const [row] = await run(
    `SELECT current_setting('data_directory') AS root, pg_relation_filepath(oid) AS main,
      pg_relation_filepath(nullif(reltoastrelid, 0)) AS large FROM pg_class WHERE oid = $1::regclass`,
    [table],
  )
  const paths = [row?.['main'], row?.['large']].flatMap((path) =>
    typeof path === 'string' ? [join(String(row?.['root']), path)] : [],
  )
  return paths.every((path) => existsSync(path)) ? Buffer.concat(paths.map((path) => readFileSync(path))) : undefined
}
