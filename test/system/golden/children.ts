import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import { generateKey, type SigningKey } from '../../../adapters/signatures/signer.ts'
import type { Json } from '../../../core/failure.ts'
import type { EventStore } from '../../../core/ports/event-store.ts'
import { headOf } from '../../core/world/head-of.ts'
import { idIn, keyParams, officeOf, type Office } from './office.ts'

/**
 * Organizations below an office: one that goes on, and one that ends. The users who leave them are erased by themselves, by the office, and
 * from its log.
 */
export const children = async (
  office: Office,
  store: EventStore,
): Promise<{ readonly organizationId: string; readonly key: SigningKey }> => {
  const { root, done, submit, person } = office
  const child = await below(office, 'V8', { email: 'eve@example.org' })
  const [max, mia, may] = [await child.enrol('max'), await child.enrol('mia'), await child.enrol('may')]
  await child.done(child.root, 'create_user_tag', { userTagName: 'of the child', userIds: [max.userId] })
  await child.submit(mia, 'create_user_tag', { userTagName: 'denied', userIds: [] })
  await child.submit(root, 'create_user_tag', { userTagName: 'refused to the office', userIds: [] })
  await child.done(child.root, 'delete_users', { userIds: [max.userId, mia.userId, may.userId] })
  await child.done(child.root, 'erase_user', { userId: max.userId })
  await child.done(root, 'erase_user', { userId: mia.userId, requests: 'MADE' })
  await done(root, 'create_policy', {
    policyName: 'two erase',
    effect: 'EFFECT_ALLOW',
    condition: "activity.action == 'ERASE'",
    consensus: 'approvers.count() >= 2',
    notes: '',
  })
  await child.vote('approve', person('grace'), await child.done(person('ada'), 'erase_user', { userId: may.userId }))

  const ending = await below(office, 'V4', { email: 'olga@example.org' })
  const { organizationId: subOrganizationId, root: olga } = ending
  await ending.done(olga, 'delete_sub_organization', {})
  await ending.submit(olga, 'create_user_tag', { userTagName: 'refused: it has ended', userIds: [] })
  const head = await headOf(store, nodeDigest(), subOrganizationId) // nobody can ask for it
  await ending.done(root, 'erase_user', { userId: olga.userId, head })
  await done(root, 'erase_user', { userId: olga.userId, subOrganizationId })
  await submit(root, 'create_sub_organization', { ...asked({ email: '', key: root.key }), rootQuorumThreshold: 2 })
  return { organizationId: child.organizationId, key: child.root.key }
}

/** Begins one, by one of the forms of the request. */
const below = async (office: Office, form: 'V4' | 'V8', { email }: { readonly email: string }): Promise<Office> => {
  const key = generateKey('API_KEY_CURVE_P256')
  const type = `ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_${form}`
  const begun = await office.done(office.root, 'create_sub_organization', asked({ email, key }), { type })
  const root = { key, userId: idIn(begun, 'rootUserIds'), apiKeyId: '' }
  return officeOf(office.engine, office.clock, idIn(begun, 'subOrganizationId'), new Map([['root', root]]))
}

const asked = ({ email, key }: { readonly email: string; readonly key: SigningKey }) => ({
  subOrganizationName: 'Below',
  rootQuorumThreshold: 1,
  rootUsers: [
    {
      userName: `root ${email}`,
      userEmail: email,
      apiKeys: [keyParams('root', key)] as Json,
      authenticators: [],
      oauthProviders: [],
    },
  ],
})
