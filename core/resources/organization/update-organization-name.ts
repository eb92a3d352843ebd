import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { profile } from '../../organization/profile.ts'

/** It has no resource and no action, so no policy can allow it: only the root quorum names the organization. */
export const updateOrganizationName = operation({
  type: 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME',
  path: 'update_organization_name',
  summary: "Changes the organization's name.",
  intent: t.fields({ organizationName: t.Label }),
  result: t.fields({ organizationId: t.string, organizationName: t.string }),
  change: t.fields({ organizationName: t.string }),

  execute: (intent, { organization: { organizationId } }) => ({
    result: { organizationId, ...intent },
    change: intent,
  }),

  evolve: (draft, { organizationName }) => {
    profile.in(draft).name = organizationName
  },
})
