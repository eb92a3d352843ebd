import fc from 'fast-check'
import { generateKey } from '../../../../adapters/signatures/signer.ts'
import type { Json } from '../../../../core/failure.ts'
import { apiKeysOf, passkeysOf } from '../../../../core/organization/credential.ts'
import { deletedUsers } from '../../../../core/organization/deleted-users.ts'
import { hasEnded } from '../../../../core/organization/ended.ts'
import type { Organization } from '../../../../core/organization/state.ts'
import { users } from '../../../../core/organization/users.ts'
import { E } from '../../../../core/prelude.ts'
import { facetOf, identityValue } from '../../../../core/resources/sub-organization/sub-organization-rows.ts'
import { headOf } from '../../world/head-of.ts'
import { testPorts } from '../../world/ports.ts'
import { begunBy, placeIn, right, type Place, type World } from '../../world/world.ts'
import { accountParams, keys, NAMES, newUser, nth, paramsOfKey, passkeyParams, textOf } from './drawn-persons.ts'

/** What is done in one of the organizations below, to one of its users. */
const does = [
  ...[
    'begin',
    'rename',
    'add',
    'add',
    'add-with-keys',
    'invite',
    'update',
    'update-name',
    'update-email',
    'update-phone',
  ],
  ...['register', 'register', 'unregister', 'register-account', 'register-account', 'unregister-account'],
  ...['delete', 'delete', 'erase', 'end', 'wait'],
] as const
export type Does = (typeof does)[number]
export const everyDoing: readonly Does[] = [...new Set(does)]

const anyStep = fc.record({
  does: fc.constantFrom(...does),
  child: fc.nat(3),
  who: fc.nat(9),
  value: fc.nat(7),
  more: fc.nat(7),
})
type Step = typeof anyStep extends fc.Arbitrary<infer A> ? A : never
// Without bias towards small numbers, so that the steps concern different things.
export const anySteps = fc.noBias(fc.array(anyStep, { minLength: 15, maxLength: 40, size: 'max' }))
/** Does everything once. Drawn steps alone may miss something: a refused one does nothing. */
export const allSteps: readonly Step[] = (
  [
    ['begin', 0],
    ['add', 1],
    ['add-with-keys', 2],
    ['register', 3],
    ['unregister', 1], // which is the registered key
    ['register-account', 1],
    ['unregister-account', 0],
    ['register-account', 2],
    ...(['invite', 'rename', 'update', 'update-name', 'update-email', 'update-phone'] as const).map(
      (one) => [one, 0] as const,
    ),
    ['wait', 0],
    ['delete', 0],
    ['erase', 0],
    ['end', 0],
  ] as const
).map(([one, more]) => ({ does: one, child: 0, who: 1, value: 0, more }))

const CHILDREN_MAX = 4
/** Somebody who was erased, with the facets that nobody else ever had. */
export type Gone = { readonly child: string; readonly userId: string; readonly facets: readonly string[] }

/** A world in which steps are carried out, one after the other. */
export const drawnFamily = (w: World) => {
  /** In the order in which they began. */
  const children: Place[] = []
  /** The facets that somebody had alone, with the person. */
  const owners = new Map<string, string>()
  const gone: Gone[] = []
  const done = new Set<Does>()

  const stateOf = async ({ organizationId }: Place): Promise<Organization> =>
    right(await w.engine.replayOrganization(organizationId)()).state

  const note = async (child: Place, n: number): Promise<void> => {
    for (const user of users.of(await stateOf(child)).values()) {
      const { userId, userName, userEmail, userPhoneNumber, oauthProviders } = user
      for (const provider of oauthProviders.values())
        if (provider.subject === `own ${n}`)
          owners.set(facetOf('OIDC_CLAIMS', identityValue(provider)), `${child.organizationId} ${userId}`)
      for (const [filter, text] of [
        ['USERNAME', userName],
        ['EMAIL', userEmail],
        ['PHONE_NUMBER', userPhoneNumber],
      ] as const)
        if (text === textOf(filter, 5, n)) owners.set(facetOf(filter, text), `${child.organizationId} ${userId}`)
    }
  }

  const begin = async ({ value, more }: Step, n: number): Promise<boolean> => {
    if (children.length === CHILDREN_MAX) return false
    const key = generateKey()
    const asked = {
      subOrganizationName: value === 7 ? '' : NAMES[value % 3],
      rootQuorumThreshold: 1,
      rootUsers: [
        { userName: 'root', apiKeys: [paramsOfKey(key)], authenticators: [], oauthProviders: [] },
        newUser(value, more, n),
      ],
    }
    const made = await w.submit(w.root, 'create_sub_organization', asked as Json)
    if (E.isLeft(made)) return false
    const { subOrganizationId, rootUserIds } = begunBy(made.right.result)
    const root = { key, userId: rootUserIds[0] ?? '', apiKeyId: '' }
    const child = placeIn(w, subOrganizationId, root)
    await child.submit(root, 'update_root_quorum', { threshold: 1, userIds: [root.userId] }) // the other one can be deleted
    children.push(child)
    return true
  }

  const invite = async (child: Place, { value, more }: Step, n: number): Promise<boolean> => {
    const invitation = {
      receiverUserName: textOf('USERNAME', value, n) || 'ada',
      receiverUserEmail: textOf('EMAIL', more, n) || 'a@x.org',
      ...{ receiverUserTags: [], accessType: 'ACCESS_TYPE_ALL', senderUserId: child.root.userId },
    }
    const made = await child.submit(child.root, 'create_invitations', { invitations: [invitation] })
    if (E.isLeft(made)) return false
    const { invitationIds } = made.right.result['createInvitationsResult'] as {
      readonly invitationIds: readonly string[]
    }
    const [invitationId = ''] = invitationIds
    const authenticator = passkeyParams(more)
    return E.isRight(
      await child.submit(child.root, 'accept_invitation', { invitationId, userId: invitationId, authenticator }),
    )
  }

  const erase = async (child: Place, { who }: Step): Promise<boolean> => {
    const state = await stateOf(child)
    const ended = hasEnded(state)
    const userId = nth([...(ended ? users.of(state) : deletedUsers.of(state)).keys()], who) ?? ''
    const head = await headOf(w.storage.store, testPorts().signatures, child.organizationId)
    const erased = await child.submit(ended ? w.root : child.root, 'erase_user', { userId, head })
    if (E.isLeft(erased)) return false
    const person = `${child.organizationId} ${userId}`
    const facets = [...owners].flatMap(([facet, owner]) => (owner === person ? [facet] : []))
    gone.push({ child: child.organizationId, userId, facets })
    return true
  }

  const change = async (child: Place, step: Step, n: number): Promise<boolean> => {
    const state = await stateOf(child)
    const { value, more } = step
    const user = nth([...users.of(state).values()], step.who)
    const userId = user?.userId ?? ''
    const others = [...users.of(state).keys()].filter((id) => id !== child.root.userId)
    const submit = async (path: string, parameters: object): Promise<boolean> =>
      E.isRight(await child.submit(child.root, path, parameters as Json))
    switch (step.does) {
      case 'rename':
        return submit('update_organization_name', { organizationName: NAMES[value % 3] })
      case 'add':
        return submit('create_users', { users: [{ ...newUser(value, more, n), userTags: [] }] })
      case 'add-with-keys': {
        const userName = textOf('USERNAME', value, n) || 'ada'
        const userEmail = textOf('EMAIL', more, n)
        const apiOnlyUsers = [
          {
            userName,
            userEmail,
            userTags: [],
            apiKeys: [{ apiKeyName: 'key', publicKey: nth(keys, more)?.publicKey }],
          },
        ]
        return submit('create_api_only_users', { apiOnlyUsers })
      }
      case 'update': {
        const [userName, userEmail] = [textOf('USERNAME', value, n), textOf('EMAIL', more, n)]
        return submit('update_user', {
          userId,
          userName,
          userEmail,
          ...(value % 2 === 0 && { userPhoneNumber: textOf('PHONE_NUMBER', more, n) }),
        })
      }
      case 'update-name':
        return submit('update_user_name', { userId, userName: textOf('USERNAME', value, n) })
      case 'update-email':
        return submit('update_user_email', { userId, userEmail: textOf('EMAIL', value, n) })
      case 'update-phone':
        return submit('update_user_phone_number', { userId, userPhoneNumber: textOf('PHONE_NUMBER', value, n) })
      case 'register':
        return value % 2 === 0
          ? submit('create_api_keys', {
              userId,
              apiKeys: [{ ...paramsOfKey(nth(keys, more)), expirationSeconds: '60' }],
            })
          : submit('create_authenticators', { userId, authenticators: [passkeyParams(more)] })
      case 'unregister': {
        const apiKey = user && nth(apiKeysOf(user), more)
        const passkey = user && nth(passkeysOf(user), more)
        return value % 2 === 0
          ? submit('delete_api_keys', { userId, apiKeyIds: [apiKey?.credentialId] })
          : submit('delete_authenticators', { userId, authenticatorIds: [passkey?.credentialId] })
      }
      case 'register-account':
        return submit('create_oauth_providers', { userId, oauthProviders: [accountParams(value, n)] })
      case 'unregister-account':
        return submit('delete_oauth_providers', {
          userId,
          providerIds: [user && nth([...user.oauthProviders.keys()], more)],
        })
      case 'delete':
        return submit('delete_users', { userIds: [nth(others, step.who)] })
      case 'end':
        return more < 3 && submit('delete_sub_organization', {})
      default:
        return false
    }
  }

  const carryOut = async (step: Step, n: number): Promise<boolean> => {
    if (step.does === 'begin') return begin(step, n)
    const child = nth(children, step.child)
    if (child === undefined) return false
    if (step.does === 'invite') return invite(child, step, n)
    if (step.does === 'erase') return erase(child, step)
    if (step.does !== 'wait') return change(child, step, n)
    w.clock.pass(60_000)
    return true
  }

  return {
    children,
    gone,
    done,
    stateOf,
    carryOut: async (step: Step, n: number): Promise<void> => {
      if (await carryOut(step, n)) done.add(step.does)
      for (const child of children) await note(child, n)
    },
  }
}
