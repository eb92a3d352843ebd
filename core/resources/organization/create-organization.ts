import * as t from '../../codec/t.ts'
import { users } from '../../organization/users.ts'
import { quorum } from '../../organization/quorum.ts'
import { FeatureName, features } from '../../organization/features.ts'
import { profile } from '../../organization/profile.ts'
import { GENESIS_TYPE } from '../../activity/genesis.ts'
import { refuse } from '../../definition/refuse.ts'
import { SigningKey } from '../../identity/signing-key.ts'
import { ApiKeyParamsV2 } from '../api-key/api-key-params.ts'
import { addPrivateKey, Address, NewPrivateKey } from '../private-key/private-keys.ts'
import { checkThreshold, Threshold } from '../quorum/quorum-rules.ts'
import {
  addUser,
  admitUsers,
  NewUser,
  newUserIds,
  newUsers,
  nothingRegistered,
  registrationsOf,
  type Registrations,
} from '../user/new-users.ts'
import { addWallet, NewWallet } from '../wallet/new-wallet.ts'
import { operation, type ExecuteContext, type InspectContext } from '../../definition/operation.ts'
import { AuthenticatorParamsV2 } from '../authenticator/authenticator-params.ts'
import { needsAttestations } from '../authenticator/new-authenticators.ts'

const RootUser = t.fields(
  { userName: t.Label, apiKeys: t.list(ApiKeyParamsV2) },
  { userEmail: t.EmailOrEmpty, userPhoneNumber: t.PhoneNumberOrEmpty, authenticators: t.list(AuthenticatorParamsV2) },
)

const Beginning = t.fields({ organizationName: t.Label, rootUsers: t.some(RootUser), rootQuorumThreshold: Threshold })

type Intent = t.TypeOf<typeof Beginning>

/** How an organization begins. One below another one has its id, and features that are set; it may begin with keys. */
export const Begun = t.fields(
  { organizationName: t.string, users: t.array(NewUser), threshold: t.number },
  {
    parentId: t.string,
    features: t.array(FeatureName),
    wallet: NewWallet,
    privateKeys: t.array(NewPrivateKey),
    tokenKeys: t.array(SigningKey),
  },
)
export type Begun = t.TypeOf<typeof Begun>

/**
 * What an organization below another one says of the keys with which it begins. The log of the parent repeats it, and by that vouches for the
 * public keys: a wallet may have no account, and a private key no address.
 */
export const keysSaid = {
  wallet: t.fields({ walletId: t.string, addresses: t.array(t.string), publicKey: t.string }),
  privateKeys: t.array(t.fields({ privateKeyId: t.string, addresses: t.array(Address), publicKey: t.string })),
  /** Those that have signed the identity tokens of its users. */
  tokenKeys: t.array(SigningKey),
}

const begun = (
  { organizationName, rootUsers, rootQuorumThreshold }: Intent,
  context: ExecuteContext<undefined>,
  registrations: Registrations,
) => {
  const { organizationId } = context.organization
  if (users.of(context.organization).size > 0) throw refuse('REQUEST_INVALID', 'this organization has begun already')
  checkThreshold('rootQuorumThreshold', rootQuorumThreshold, rootUsers.length)
  const created = newUsers('rootUsers', rootUsers, context, { registrations })
  return { result: { organizationId }, change: { organizationName, users: created, threshold: rootQuorumThreshold } }
}

/** An organization's first activity, stamped by a key or a passkey that it registers. It has no route: `init` submits it. */
export const createOrganization = operation({
  type: GENESIS_TYPE,
  path: 'create_organization',
  summary: 'Begins an organization with its root users and the quorum that they make.',
  intent: Beginning,
  result: t.fields({ organizationId: t.string }, keysSaid),
  change: Begun,

  subjects: ({ rootUsers }, ids) => newUserIds(rootUsers, ids),
  admit: ({ rootUsers }) => admitUsers('rootUsers', rootUsers),
  nothingToInspect: ({ rootUsers }) => nothingRegistered(rootUsers),
  inspectNeeds: needsAttestations,
  inspect: ({ rootUsers }: Intent, { ports }: InspectContext<typeof needsAttestations>) =>
    registrationsOf('rootUsers', rootUsers, ports.attestations),
  execute: (intent, context) => begun(intent, context, context.inspected),

  evolve: (
    draft,
    { organizationName, users, threshold, parentId, features: set = [], wallet, privateKeys = [] },
    { atMs },
  ) => {
    profile.in(draft).name = organizationName
    profile.in(draft).createdAtMs = atMs
    if (parentId !== undefined) profile.in(draft).parentId = parentId
    for (const name of set) features.in(draft).set(name, '')
    for (const user of users) addUser(draft, user, atMs)
    if (wallet !== undefined) addWallet(draft, wallet, atMs)
    for (const key of privateKeys) addPrivateKey(draft, key, atMs)
    quorum.in(draft).threshold = threshold
    quorum.in(draft).userIds = users.map(({ userId }) => userId)
  },
})
