import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { policies } from '../../organization/policies.ts'
import { profile } from '../../organization/profile.ts'
import { users } from '../../organization/users.ts'
import { Unused } from '../../view/activity-view.ts'
import { FeatureView, featureViews } from '../feature/feature-view.ts'
import { InOrganization } from '../in-organization.ts'
import { invitationView, InvitationView } from '../invitation/invitation-view.ts'
import { invitations } from '../invitation/invitations.ts'
import { policyView, PolicyView } from '../policy/policy-view.ts'
import { tagView, TagView } from '../tag/tag-view.ts'
import { userTags } from '../user-tag/user-tags.ts'
import { userView, UserView } from '../user/user-view.ts'
import { wholeList } from '../whole-list.ts'
import { quorumView, QuorumView } from './quorum-view.ts'

const OrganizationData = t.named(
  'OrganizationData',
  t.fields({
    organizationId: t.Uuid,
    name: t.string,
    users: t.readonlyArray(UserView),
    policies: t.readonlyArray(PolicyView),
    privateKeys: Unused,
    invitations: t.readonlyArray(InvitationView),
    tags: t.readonlyArray(TagView),
    rootQuorum: QuorumView,
    features: t.readonlyArray(FeatureView),
    wallets: Unused,
    smartContractInterfaceReferences: Unused,
  }),
)

/** An older query: newer ones show each list by itself. */
export const getOrganization = query({
  path: 'get_organization',
  summary: 'Shows the organization with its users, invitations, policies, tags, root quorum and features.',
  request: InOrganization,
  answer: t.fields({ organizationData: OrganizationData }),
  run: (_, { organization }) => ({
    organizationData: {
      organizationId: organization.organizationId,
      name: profile.of(organization).name,
      ...wholeList('users', users.of(organization), userView),
      ...wholeList('policies', policies.of(organization), policyView),
      ...wholeList('tags', userTags.of(organization), tagView('TAG_TYPE_USER')),
      ...wholeList('invitations', invitations.of(organization), invitationView),
      privateKeys: [],
      rootQuorum: quorumView(organization),
      features: featureViews(organization),
      wallets: [],
      smartContractInterfaceReferences: [],
    },
  }),
})
