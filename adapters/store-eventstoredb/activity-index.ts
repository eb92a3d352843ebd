import type { ActivitySelection, ListedActivity } from '../../core/ports/event-store.ts'
import { PENDING } from '../../core/ports/event-store.ts'
import type { Row } from '../../core/ports/read-models.ts'
import { indexBehind, value } from './failures.ts'
import {
  activityOf,
  INDEX,
  orderOf,
  organizationOf,
  ORGANIZATIONS,
  pendingOf,
  PENDINGS,
  type ActivityRow,
  type OrganizationRow,
} from './index-rows.ts'
import type { Indexer } from './indexer.ts'
import type { IndexModels } from './overlay.ts'

/** What is found in the index. Lists are as new as the log is when they are asked for: the index is moved first. */
export type ActivityIndex = {
  readonly activity: (organization: string, activity: string) => Promise<ActivityRow | undefined>
  readonly organization: (organization: string) => Promise<OrganizationRow | undefined>
  /** The names of activities that the index has, in the order of their first events, from behind a sequence on. It is not moved before. */
  readonly names: (
    organization: string,
    after: bigint,
    limit: number,
  ) => Promise<readonly { readonly activity: string; readonly sequence: bigint }[]>
  readonly activities: (organization: string, selection: ActivitySelection) => Promise<readonly ListedActivity[]>
  readonly pending: (after: bigint, limit: number) => Promise<readonly ListedActivity[]>
  readonly organizations: (after: string, limit: number) => Promise<readonly string[]>
}

export const activityIndex = (
  readModels: IndexModels,
  { catchUp, state }: Pick<Indexer, 'catchUp' | 'state'>,
): ActivityIndex => {
  /** Moves the index to the end of the log, and reads it; again if it was thrown away, or went back, while it was read. */
  const upToDate = async <A>(read: () => Promise<A>): Promise<A> => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const { generation, position } = await catchUp()
      const found = await read()
      const now = await state()
      if (now.generation === generation && now.position >= position) return found
    }
    throw indexBehind()
  }

  const activities: ActivityIndex['activities'] = async (
    organization,
    { limit, ascending, after, types, statuses },
  ) => {
    const found: ListedActivity[] = []
    for (let from = after; found.length < limit;) {
      const rows: readonly Row[] = await value(
        readModels.rows(INDEX, organization, { limit, ascending, after: from, first: types, second: statuses }),
      )
      for (const { key: activity, order: sequence, value: row } of rows) {
        const { position, standing } = activityOf(row) ?? UNLISTED
        if (standing?.type === undefined || found.length >= limit) continue // without a type, it is not listed
        found.push({ organization, activity, sequence, position, type: standing.type, status: standing.status })
      }
      if (rows.length < limit) break
      from = rows.at(-1)?.order
    }
    return found
  }

  const pending: ActivityIndex['pending'] = async (after, limit) => {
    const rows = await value(readModels.rows(INDEX, PENDINGS, { limit, ascending: true, after }))
    return rows.flatMap(({ order: position, value: row }) => {
      const found = pendingOf(row)
      return found === undefined ? [] : [{ ...found, position, status: PENDING }]
    })
  }

  /** Several names may have the same number: a page that ends among them may lack some of them, and is read again with more room. */
  const organizations: ActivityIndex['organizations'] = async (after, limit) => {
    for (let room = limit + 1; ; room *= 2) {
      const from = after === '' ? undefined : orderOf(after) - 1n
      const rows = await value(readModels.rows(INDEX, ORGANIZATIONS, { limit: room, ascending: true, after: from }))
      const isAll = rows.length < room
      const open = isAll ? undefined : rows.at(-1)?.order
      const names = rows
        .filter(({ order }) => order !== open)
        .map(({ key }) => key)
        .filter((key) => compareUtf8(key, after) > 0)
      if (isAll || names.length >= limit) return names.toSorted(compareUtf8).slice(0, limit)
    }
  }

  return {
    activity: async (organization, activity) => activityOf(await value(readModels.row(INDEX, organization, activity))),
    organization: async (organization) =>
      organizationOf(await value(readModels.row(INDEX, ORGANIZATIONS, organization))),
    names: async (organization, after, limit) => {
      const rows = await value(readModels.rows(INDEX, organization, { limit, ascending: true, after }))
      return rows.map(({ key: activity, order: sequence }) => ({ activity, sequence }))
    },
    activities: async (organization, selection) =>
      selection.limit <= 0 || selection.types?.length === 0 || selection.statuses?.length === 0
        ? []
        : upToDate(() => activities(organization, selection)),
    pending: async (after, limit) => (limit <= 0 ? [] : upToDate(() => pending(after, limit))),
    organizations: async (after, limit) => (limit <= 0 ? [] : upToDate(() => organizations(after, limit))),
  }
}

const ATTEMPTS = 5
const UNLISTED: Pick<ActivityRow, 'position' | 'standing'> = { position: 0n, standing: undefined }

const compareUtf8 = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
