import * as t from '../../codec/t.ts'
import { decodes, operation, type CheckContext, type InspectContext } from '../../definition/operation.ts'
import { findIn } from '../../definition/find.ts'
import { port } from '../../definition/port.ts'
import { valueOf } from '../../definition/refuse.ts'
import { isProxyUser, linksClient } from '../../organization/auth-proxy.ts'
import type { FeatureName } from '../../organization/features.ts'
import { initial } from '../../organization/state.ts'
import { AuthenticatorParamsV2 } from '../authenticator/authenticator-params.ts'
import { needsAttestations } from '../authenticator/new-authenticators.ts'
import { tokensOf } from '../oauth-provider/oauth-provider-params.ts'
import { areSignedBy, needsIdentityTokens, tokenIn } from '../oauth-provider/token-keys.ts'
import { onlyOnTop } from '../only-on-top.ts'
import { PrivateKeyParams } from '../private-key/new-private-keys.ts'
import { createdOf, CreatedPrivateKey } from '../private-key/private-keys.ts'
import { checkThreshold, Threshold } from '../quorum/quorum-rules.ts'
import {
  admitUsers,
  newUserIds,
  newUsers,
  nothingRegistered,
  providersOf,
  registrationsOf,
  type NewUser,
  type Registrations,
} from '../user/new-users.ts'
import { notTooMany } from '../wallet/key-codecs.ts'
import { DAY_SECRETS, type DaySecrets } from '../deployment-key/day-secrets.ts'
import { needsKeyring } from '../inside-work.ts'
import { provedAddresses, WalletParams } from '../wallet/new-wallet.ts'
import { VerificationToken } from '../user/verified-contact.ts'
import { ClientSignature } from '../verification/client-signature.ts'
import {
  checkToken,
  needsVerificationKeys,
  takeUse,
  type VerificationClaims,
} from '../verification/verification-token.ts'
import { untilDone } from '../until-done.ts'
import { BEGINNING, BegunBelow, type Beginning, type ToBegin } from './beginning.ts'
import { areWanted, keysBelow, makeKeysBelow, type PublicKeysBelow } from './keys-below.ts'
import { isOf, signUpIn } from './signing-up.ts'
import { fifthToV8, firstToV8, RootUser, RootUserV5, RootUserV6, RootUserV7, RootUserV8 } from './root-users.ts'

const FIRST_PAUSE_MS = 5_000

const needs = { ...needsAttestations, ...needsVerificationKeys }

const named = { subOrganizationName: t.LabelOrEmpty, rootQuorumThreshold: Threshold }
const optOuts = { wallet: WalletParams, disableEmailRecovery: t.boolean, disableEmailAuth: t.boolean }

const moreOptions = {
  ...optOuts,
  disableSmsAuth: t.boolean,
  disableOtpEmailAuth: t.boolean,
  verificationToken: VerificationToken,
  clientSignature: ClientSignature,
}

const Intent = t.fields({ ...named, rootUsers: t.some(RootUserV8) }, moreOptions)
/** The private keys come from the third version alone: the newest has no such member on the wire. The seventh takes older tokens, too. */
type Intent = t.TypeOf<typeof Intent> & {
  readonly privateKeys?: readonly PrivateKeyParams[]
  readonly takesPlain?: boolean
}

const First = t.fields({ name: t.LabelOrEmpty, rootAuthenticator: AuthenticatorParamsV2 })
const Second = t.fields({ ...named, rootUsers: t.some(RootUser) })
const Third = t.fields(
  { ...named, rootUsers: t.some(RootUser), privateKeys: t.list(PrivateKeyParams) },
  {},
  ({ privateKeys }) => notTooMany('privateKeys', privateKeys),
)
const Fourth = t.fields({ ...named, rootUsers: t.some(RootUser) }, optOuts)
const Fifth = t.fields({ ...named, rootUsers: t.some(RootUserV5) }, optOuts)
const Sixth = t.fields({ ...named, rootUsers: t.some(RootUserV6) }, optOuts)

const Seventh = t.fields({ ...named, rootUsers: t.some(RootUserV7) }, moreOptions)

const Created = t.fields(
  { subOrganizationId: t.string, rootUserIds: t.array(t.string) },
  {
    wallet: t.fields({ walletId: t.string, addresses: t.array(t.string) }),
    privateKeys: t.array(CreatedPrivateKey),
  },
)
type Created = t.TypeOf<typeof Created>

const resultName = 'createSubOrganizationResult'

/** The features with which an organization below another one begins, unless the request opts out. */
const featuresOf = (intent: Intent): readonly FeatureName[] => {
  const features: readonly (readonly [FeatureName, boolean | undefined])[] = [
    ['FEATURE_NAME_EMAIL_AUTH', intent.disableEmailAuth],
    ['FEATURE_NAME_OTP_EMAIL_AUTH', intent.disableOtpEmailAuth],
    ['FEATURE_NAME_SMS_AUTH', intent.disableSmsAuth],
    ['FEATURE_NAME_EMAIL_RECOVERY', intent.disableEmailRecovery],
  ]
  return features.flatMap(([name, isOut]) => (isOut === true ? [] : [name]))
}

/** The identity tokens of all root users, in order. */
const tokensIn = ({ rootUsers }: Intent): readonly string[] =>
  rootUsers.flatMap(({ oauthProviders }) => tokensOf(oauthProviders))

/** What was found out of the request: of its passkeys, and of its token. */
type Inspected = { readonly registered: Registrations; readonly claims: VerificationClaims | undefined }

/** Draws the ids of the activity: that of the organization first, then those of its users. */
const idsOf = ({ rootUsers }: Intent, ids: () => string): Pick<Created, 'subOrganizationId' | 'rootUserIds'> => ({
  subOrganizationId: ids(),
  rootUserIds: [...newUserIds(rootUsers, ids)],
})

/**
 * Begins an organization below this one. It is work with effects outside, and ends in one way only once it was started: so `check` rests on
 * what no later attempt can find otherwise, which is the request, the limits of the start, and that this organization is on top.
 */
export const createSubOrganization = operation({
  type: 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8',
  path: 'create_sub_organization',
  summary: 'Begins an organization below this one, with root users and a quorum of its own.',
  resource: 'ORGANIZATION',
  action: 'CREATE',
  intent: Intent,
  result: Created,
  resultName: `${resultName}V8`,
  change: t.fields({ subOrganizationId: t.string, rootUserIds: t.array(t.string) }),
  versions: [
    {
      type: 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7',
      resultName: `${resultName}V7`,
      ...decodes(Seventh, (intent): Intent => ({ ...intent, takesPlain: true })),
    },
    {
      type: 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V6',
      resultName: `${resultName}V6`,
      ...decodes(Sixth, (intent) => intent),
    },
    {
      type: 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V5',
      resultName: `${resultName}V5`,
      ...decodes(Fifth, (intent) => ({ ...intent, rootUsers: intent.rootUsers.map(fifthToV8) })),
    },
    {
      type: 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V4',
      resultName: `${resultName}V4`,
      ...decodes(Fourth, (intent) => ({ ...intent, rootUsers: intent.rootUsers.map(firstToV8) })),
    },
    {
      type: 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V3',
      resultName: `${resultName}V3`,
      ...decodes(Third, (intent) => ({ ...intent, rootUsers: intent.rootUsers.map(firstToV8) })),
      encodeResult: ({ subOrganizationId, rootUserIds, privateKeys = [] }) => ({
        subOrganizationId,
        privateKeys,
        rootUserIds,
      }),
    },
    {
      type: 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V2',
      resultName,
      ...decodes(Second, (intent) => ({ ...intent, rootUsers: intent.rootUsers.map(firstToV8) })),
    },
    {
      type: 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION',
      resultName,
      ...decodes(First, ({ name, rootAuthenticator }) => ({
        subOrganizationName: name,
        rootQuorumThreshold: 1,
        rootUsers: [firstToV8({ userName: 'Root user', apiKeys: [], authenticators: [rootAuthenticator] })],
      })),
    },
  ],

  subjects: (intent, ids) => idsOf(intent, ids).rootUserIds,
  admit: ({ rootUsers }) => admitUsers('rootUsers', rootUsers),
  passwords: ['verificationToken', 'oidcToken'],
  nothingToInspect: ({ rootUsers, verificationToken, clientSignature }): Inspected | undefined => {
    const registered = verificationToken || clientSignature ? undefined : nothingRegistered(rootUsers)
    return registered && { registered, claims: undefined }
  },
  inspectNeeds: needs,
  inspect: async (intent: Intent, context: InspectContext<typeof needs>): Promise<Inspected> => ({
    claims: signUpIn(intent, context),
    registered: await registrationsOf('rootUsers', intent.rootUsers, context.ports.attestations),
  }),

  check: (intent, context): ToBegin => {
    onlyOnTop(context.organization)
    const { claims } = context.inspected
    if (claims !== undefined && context.attempt === 1) checkToken(claims, context) // what was begun does not end with its token
    const tokens = tokensIn(intent)
    return {
      ...toBegin(intent, context),
      ...(claims && { token: { tokenId: claims.id, untilMs: Number(claims.exp) } }),
      ...(tokens.length > 0 && { tokens }),
    }
  },

  perform: {
    ...untilDone(FIRST_PAUSE_MS), // it may have begun
    needs: {
      [BEGINNING]: port<Beginning>(),
      [DAY_SECRETS]: port<DaySecrets>(),
      ...needsKeyring.needs,
      ...needsIdentityTokens,
    },
    whenMissing: needsKeyring.whenMissing,
    performed: BegunBelow,
    run: async (organization, { ports, activityId, signal }) => {
      const { token } = organization
      if (token !== undefined) await takeUse(ports[DAY_SECRETS], 'sign-up', token, activityId)
      const makeKeys = (): Promise<PublicKeysBelow> => makeKeysBelow(organization, ports, signal)
      return valueOf(await ports[BEGINNING].begin(organization, activityId, makeKeys)())
    },
  },
  verify: ({ tokenKeys = [] }, _, { tokens = [] }) => areSignedBy(tokens, tokenKeys),
  needsFor: (intent) => [
    BEGINNING,
    ...(tokensIn(intent).length > 0 ? ['identityTokens'] : []),
    ...(areWanted(intent) ? ['keyring'] : []),
    ...(intent.verificationToken ? [DAY_SECRETS] : []),
  ],

  addresses: ({ wallet: wanted }, { subOrganizationId: organizationId, wallet, privateKeys = [] }) =>
    [
      ...provedAddresses(wanted?.accounts ?? [], wallet?.walletId ?? '', wallet?.addresses ?? []),
      ...privateKeys.flatMap(({ addresses }) => addresses),
    ].map(({ address, ...more }) => ({ organizationId, ...more, address })),

  execute: (intent, { ids, performed: { wallet, privateKeys } }) => {
    const created = idsOf(intent, ids)
    const shown = {
      ...(wallet && { wallet: { walletId: wallet.walletId, addresses: wallet.addresses } }),
      ...(privateKeys && {
        privateKeys: privateKeys.map(createdOf),
      }),
    }
    return { result: { ...created, ...shown }, change: created }
  },

  evolve: () => undefined, // what is below knows what is above, and not the other way round
})

const toBegin = (
  intent: Intent,
  context: Pick<
    CheckContext<Inspected>,
    'organization' | 'requester' | 'ids' | 'limits' | 'inspected' | 'atMs' | 'attempt'
  >,
): ToBegin => {
  const { subOrganizationName, rootUsers, rootQuorumThreshold } = intent
  checkThreshold('rootQuorumThreshold', rootQuorumThreshold, rootUsers.length)
  const organization = initial(context.ids())
  const { registered: registrations, claims } = context.inspected
  const time = context.attempt === 1 ? context : {} // as with the other token
  const providers = providersOf('rootUsers', rootUsers, (token) => tokenIn(token, time))
  const read = { registrations, providers: vouching(providers, context) }
  const created = newUsers('rootUsers', rootUsers, { ...context, organization }, read, hasContact).map((user) =>
    verifiedBy(claims, user),
  )
  return {
    organizationName: subOrganizationName,
    users: [...created],
    threshold: rootQuorumThreshold,
    parentId: context.organization.organizationId,
    features: [...featuresOf(intent)],
    keys: keysBelow(intent, { ...context, organization, ...findIn(organization) }),
  }
}

/**
 * Whose tokens say that an address is the user's own. Those that the auth proxy brings have to be for a client that the organization has named: another
 * app, to which a person has given one, could take their address here before they come themselves.
 */
const vouching = (
  providers: ReturnType<typeof providersOf>,
  { organization, requester }: Pick<CheckContext, 'organization' | 'requester'>,
): ReturnType<typeof providersOf> =>
  isProxyUser(organization, requester)
    ? providers.map((ofUser) =>
        ofUser.map((one) => (linksClient(organization, one.identity.audience) ? one : { ...one, token: undefined })),
      )
    : providers

const verifiedBy = (claims: VerificationClaims | undefined, user: NewUser): NewUser => {
  if (claims === undefined || !isOf(claims, user)) return user
  return claims.verification_type === 'OTP_TYPE_EMAIL'
    ? { ...user, isEmailVerified: true }
    : { ...user, isPhoneNumberVerified: true }
}

/** A root user may have a contact and no credential: a code that is sent there lets them in. */
const hasContact = ({ userEmail, userPhoneNumber }: RootUserV8): boolean =>
  Boolean(userEmail) || Boolean(userPhoneNumber)
