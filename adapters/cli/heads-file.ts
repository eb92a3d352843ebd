import { HeadsFile, headsFileOf, headsIn } from '../../core/audit/known-text.ts'
import type { AuditedOrganization, LogHead } from '../../core/audit/report.ts'
import { readJson, writeJson } from '../credentials/credentials.ts'

/** The heads of the file of `--keep-heads`; none if it is not there yet. */
export const readHeads = async (path: string): Promise<readonly LogHead[]> =>
  headsIn((await readJson(HeadsFile, path, 'file of heads')) ?? { heads: [] })

/** Writes the file, whole or not at all. */
export const writeHeads = async (path: string, organizations: readonly AuditedOrganization[]): Promise<void> => {
  await writeJson(path, headsFileOf(organizations), 'replace')
}
