import * as t from '../../codec/t.ts'
import { operation, type ExecuteContext } from '../../definition/operation.ts'
import { port } from '../../definition/port.ts'
import { refuse, valueOf } from '../../definition/refuse.ts'
import { isPublicKey } from '../../keys/public-key.ts'
import { actingProxy, authProxy, SealedApiKey } from '../../organization/auth-proxy.ts'
import { credentialNamed } from '../../organization/credentials.ts'
import { features } from '../../organization/features.ts'
import type { Issued } from '../../organization/issued-key.ts'
import { users } from '../../organization/users.ts'
import type { AuthProxyKeys } from '../../ports/auth-proxy.ts'
import type { NewApiKey } from '../api-key/new-api-keys.ts'
import { checkQuota } from '../check-quota.ts'
import { insideWork, needsKeyring } from '../inside-work.ts'
import { onlyOnTop } from '../only-on-top.ts'
import { addPolicy, NewPolicy } from '../policy/new-policies.ts'
import { admitPolicies } from '../policy/policy-rules.ts'
import { addUser, NewUser } from '../user/new-users.ts'
import { userLimits } from '../user/user-limits.ts'
import { FEATURE, Leaving, leavingOf, newPolicy, policyFor, PROXY_NAME, putOut } from './admitting.ts'

/** The key that the work has made, sealed for the proxy, and the proxy's own keys. */
const Made = t.fields({
  publicKey: t.string,
  encryptedApiKey: SealedApiKey,
  signingPublicKey: t.string,
  openingPublicKey: t.string,
})
type Made = t.TypeOf<typeof Made>

/** In hexadecimal digits: a public key of P-256, uncompressed, and 32 bytes with their tag. */
const ENCAPPED = /^04[0-9a-f]{128}$/
const CIPHERTEXT = /^[0-9a-f]{96}$/

/** It is the settings' own operation that says how the proxy signs users in: those of the last time are still there. */
export const enableAuthProxy = operation({
  type: 'ACTIVITY_TYPE_ENABLE_AUTH_PROXY',
  path: 'enable_auth_proxy',
  summary: 'Lets in the auth proxy of the deployment, which signs users up and in: as a user, with keys and a policy.',
  resource: 'AUTH_PROXY',
  action: 'CREATE',
  intent: t.fields({}),
  result: t.fields({ userId: t.string }),
  change: t.fields({
    user: NewUser,
    policy: NewPolicy,
    encryptedApiKey: SealedApiKey,
    left: t.described(Leaving, 'what is still there of a proxy that lost its user, or a key'),
  }),
  subjects: (_, ids) => [ids()],
  admit: (_, context) => admitPolicies([policyFor(context.organization.organizationId)], context),

  check: (_, { organization }) => {
    mayEnable({ organization })
    return { organizationId: organization.organizationId }
  },

  perform: {
    ...insideWork,
    needs: { authProxy: port<AuthProxyKeys>(), ...needsKeyring.needs },
    whenMissing: 'unsupported',
    performed: Made,
    run: async ({ organizationId }, { ports: { authProxy: proxy, keyring } }): Promise<Made> => {
      const { signingPublicKey, openingPublicKey } = proxy
      const { publicKey, encrypted } = valueOf(await keyring.issueKey(openingPublicKey, organizationId)())
      return { publicKey, encryptedApiKey: encrypted, signingPublicKey, openingPublicKey }
    },
  },

  verify: async ({ publicKey, encryptedApiKey: { encappedPublic, ciphertext }, ...proxy }) =>
    [publicKey, proxy.signingPublicKey, proxy.openingPublicKey].every((key) => isPublicKey('CURVE_P256', key)) &&
    ENCAPPED.test(encappedPublic) &&
    CIPHERTEXT.test(ciphertext),

  execute: (_, context) => {
    const { organization, ids, limits, performed } = context
    mayEnable(context)
    checkQuota(users.of(organization).size + 1, userLimits.of({ limits }).users, 'users')
    const { publicKey, signingPublicKey, encryptedApiKey } = performed
    const left = leavingOf(organization)
    const ownerOf = (name: string) => credentialNamed(organization, { kind: 'api-key', name })?.userId
    const owners = [publicKey, signingPublicKey].flatMap((name) => ownerOf(name) ?? [])
    if (owners.some((owner) => !left.userIds.includes(owner)))
      throw refuse('REQUEST_INVALID', 'a key of the auth proxy is registered as a key of a user: delete it there first')
    const userId = ids()
    const apiKeys = [
      proxyKey('auth-proxy', publicKey, 'AUTH_PROXY', ids),
      proxyKey('auth-proxy-config', signingPublicKey, 'AUTH_PROXY_CONFIG', ids),
    ]
    const user: NewUser = { userId, userName: PROXY_NAME, tagIds: [], apiKeys }
    const policy = newPolicy(userId, context)
    return { result: { userId }, change: { user, policy, encryptedApiKey, left } }
  },

  evolve: (draft, { user, policy, encryptedApiKey, left }, { atMs, sequence }) => {
    putOut(draft, left, sequence)
    addUser(draft, user, atMs)
    addPolicy(draft, policy, atMs)
    const [publicKey = '', signingPublicKey = ''] = user.apiKeys.map((key) => key.publicKey)
    const { userId } = user
    const { policyId } = policy
    authProxy.in(draft).admitted = { userId, policyId, publicKey, encryptedApiKey, signingPublicKey }
    features.in(draft).set(FEATURE, draft.organizationId)
  },
})

const mayEnable = ({ organization }: Pick<ExecuteContext<unknown>, 'organization'>): void => {
  onlyOnTop(organization)
  if (actingProxy(organization) !== undefined) throw refuse('REQUEST_INVALID', 'the auth proxy is enabled already')
}

const proxyKey = (apiKeyName: string, publicKey: string, issued: Issued, ids: () => string): NewApiKey => ({
  apiKeyId: ids(),
  apiKeyName,
  publicKey,
  curve: 'API_KEY_CURVE_P256',
  issued,
})
