import * as t from '../../codec/t.ts'
import { quorum } from '../../organization/quorum.ts'
import type { Organization } from '../../organization/state.ts'

/** The root quorum as the wire shows it. */
export const QuorumView = t.fields({ threshold: t.Integer, userIds: t.readonlyArray(t.Uuid) })

export const quorumView = (organization: Organization): t.TypeOf<typeof QuorumView> => {
  const { threshold, userIds } = quorum.of(organization)
  return { threshold, userIds: [...userIds] }
}
