import { quorum } from '../../organization/quorum.ts'
import { TE } from '../../prelude.ts'
import * as t from 'io-ts'
import { Integer, Uuid } from '../../codec/codec.ts'
import { fields } from '../../codec/fields.ts'
import { Unused } from '../../view/activity-view.ts'
import { InOrganization } from '../in-organization.ts'
import { query } from '../../definition/query.ts'

const Configs = fields({
  features: Unused,
  quorum: fields({ threshold: Integer, userIds: t.readonlyArray(Uuid) }),
})

export const getOrganizationConfigs = query({
  path: 'get_organization_configs',
  summary: 'Shows the root quorum and the features that are set.',
  request: InOrganization,
  answer: fields({ configs: Configs }),
  run: (_, { organization }) => {
    const { threshold, userIds } = quorum.of(organization)
    return TE.right({ configs: { features: [], quorum: { threshold, userIds: [...userIds] } } })
  },
})
