import * as t from 'io-ts'
import { Label } from '../../codec/codec.ts'
import { fields } from '../../codec/fields.ts'
import { operation } from '../../definition/operation.ts'
import { profile } from '../../organization/profile.ts'
import { E } from '../../prelude.ts'

/** It has no resource and no action, so no policy can allow it: only the root quorum names the organization. */
export const updateOrganizationName = operation({
  type: 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME',
  path: 'update_organization_name',
  summary: "Changes the organization's name.",
  intent: fields({ organizationName: Label }),
  result: fields({ organizationId: t.string, organizationName: t.string }),
  change: fields({ organizationName: t.string }),

  execute: (intent, { organization: { organizationId } }) =>
    E.right({ result: { organizationId, ...intent }, change: intent }),

  evolve: (draft, { organizationName }) => {
    profile.in(draft).name = organizationName
  },
})
