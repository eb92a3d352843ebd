import * as t from 'io-ts'
import { Integer, Uuid } from '../../codec/codec.ts'
import { fields } from '../../codec/fields.ts'
import { quorum } from '../../organization/quorum.ts'
import type { Organization } from '../../organization/state.ts'

/** The root quorum as the wire shows it. */
export const QuorumView = fields({ threshold: Integer, userIds: t.readonlyArray(Uuid) })

export const quorumView = (organization: Organization): t.TypeOf<typeof QuorumView> => {
  const { threshold, userIds } = quorum.of(organization)
  return { threshold, userIds: [...userIds] }
}
