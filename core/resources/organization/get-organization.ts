import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { policies } from '../../organization/policies.ts'
import { profile } from '../../organization/profile.ts'
import type { Organization } from '../../organization/state.ts'
import { users } from '../../organization/users.ts'
import { FeatureView, featureViews } from '../feature/feature-view.ts'
import { InOrganization } from '../in-organization.ts'
import { invitationView, InvitationView } from '../invitation/invitation-view.ts'
import { invitations } from '../invitation/invitations.ts'
import { policyView, PolicyView } from '../policy/policy-view.ts'
import { privateKeyView, PrivateKeyView } from '../private-key/private-key-view.ts'
import { privateKeys } from '../private-key/private-keys.ts'
import { privateKeyTags } from '../private-key-tag/private-key-tags.ts'
import {
  interfaceReference,
  InterfaceReferenceView,
} from '../smart-contract-interface/smart-contract-interface-view.ts'
import { smartContractInterfaces } from '../smart-contract-interface/smart-contract-interfaces.ts'
import { tagView, TagView, type TagType } from '../tag/tag-view.ts'
import type { Tags } from '../tag/tags.ts'
import { userTags } from '../user-tag/user-tags.ts'
import { userView, UserView } from '../user/user-view.ts'
import { walletView, WalletView } from '../wallet/wallet-view.ts'
import { wallets } from '../wallet/wallets.ts'
import { wholeList } from '../whole-list.ts'
import { quorumView, QuorumView } from './quorum-view.ts'

const OrganizationData = t.named(
  'OrganizationData',
  t.fields({
    organizationId: t.Uuid,
    name: t.string,
    users: t.readonlyArray(UserView),
    policies: t.readonlyArray(PolicyView),
    privateKeys: t.readonlyArray(PrivateKeyView),
    invitations: t.readonlyArray(InvitationView),
    tags: t.readonlyArray(TagView),
    rootQuorum: QuorumView,
    features: t.readonlyArray(FeatureView),
    wallets: t.readonlyArray(WalletView),
    smartContractInterfaceReferences: t.readonlyArray(InterfaceReferenceView),
  }),
)

/** An older query: newer ones show each list by itself. */
export const getOrganization = query({
  path: 'get_organization',
  summary:
    'Shows the organization with its users, invitations, policies, private keys, wallets, smart contract interfaces, tags, root quorum and features.',
  request: InOrganization,
  answer: t.fields({ organizationData: OrganizationData }),
  run: (_, { organization }) => ({
    organizationData: {
      organizationId: organization.organizationId,
      name: profile.of(organization).name,
      ...wholeList('users', users.of(organization), userView),
      ...wholeList('policies', policies.of(organization), policyView),
      tags: [
        ...tagsOf(organization, userTags, 'TAG_TYPE_USER'),
        ...tagsOf(organization, privateKeyTags, 'TAG_TYPE_PRIVATE_KEY'),
      ],
      ...wholeList('invitations', invitations.of(organization), invitationView),
      ...wholeList('privateKeys', privateKeys.of(organization), privateKeyView),
      rootQuorum: quorumView(organization),
      features: featureViews(organization),
      ...wholeList('wallets', wallets.of(organization), walletView),
      ...wholeList('smartContractInterfaceReferences', smartContractInterfaces.of(organization), interfaceReference),
    },
  }),
})

const tagsOf = (organization: Organization, tags: Tags, type: TagType): readonly TagView[] =>
  wholeList('tags', tags.of(organization), tagView(type)).tags
