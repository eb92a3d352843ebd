import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import type { Person } from '../../core/world/world.ts'
import { NOBODY, onStage, refusal, violationOf, type Stage } from './stage.ts'

const it = suite('@turnkey/http: names and contacts')

type Token = { readonly verificationToken?: string }

/** The three requests that change one member of a user, by the same names. */
const changes = ({ http, asks }: Stage, person: Person) => {
  const client = http(person)
  return {
    userName: (userId: string, userName: string) =>
      client.updateUserName(asks('ACTIVITY_TYPE_UPDATE_USER_NAME', { userId, userName })),
    userEmail: (userId: string, userEmail: string, more: Token = {}) =>
      client.updateUserEmail(asks('ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId, userEmail, ...more })),
    userPhoneNumber: (userId: string, userPhoneNumber: string, more: Token = {}) =>
      client.updateUserPhoneNumber(
        asks('ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER', { userId, userPhoneNumber, ...more }),
      ),
  }
}
type Member = keyof ReturnType<typeof changes>
const GOOD: Readonly<Record<Member, string>> = {
  userName: 'Ada L.',
  userEmail: 'ada@example.com',
  userPhoneNumber: '+441234567890',
}
const MEMBERS = Object.keys(GOOD) as Member[]

it('changes the name, the e-mail address and the phone number of a user', () =>
  onStage(async (stage) => {
    const { http, root, enrol, organizationId } = stage
    const { userId } = await enrol('ada')
    for (const member of MEMBERS) {
      const { activity } = await changes(stage, root)[member](userId, GOOD[member])
      const suffix = member.slice('user'.length)
      assert.equal(activity.intent[`updateUser${suffix}Intent` as 'updateUserNameIntent'], { userId, [member]: GOOD[member] }) // prettier-ignore
      assert.equal(activity.result[`updateUser${suffix}Result` as 'updateUserNameResult'], { userId })
    }
    const { user } = await http(root).getUser({ organizationId, userId })
    for (const member of MEMBERS) assert.is(user[member], GOOD[member])
  }))

it('removes a contact by the empty text, and no name', () =>
  onStage(async (stage) => {
    const { http, root, enrol, organizationId } = stage
    const { userId } = await enrol('ada')
    const { userName, userEmail, userPhoneNumber } = changes(stage, root)
    await userEmail(userId, GOOD.userEmail)
    await userPhoneNumber(userId, GOOD.userPhoneNumber)
    await userEmail(userId, '')
    await userPhoneNumber(userId, '')
    const { user } = await http(root).getUser({ organizationId, userId })
    assert.equal([user.userEmail, user.userPhoneNumber], [undefined, undefined])
    const expected = 'expected a label of 1 to 256 printable characters'
    assert.equal((await refusal(userName(userId, ''))).details, violationOf('userName', expected))
  }))

it('refuses a user whom nobody knows, what is no contact, and a token that it cannot verify', () =>
  onStage(async (stage) => {
    const { root, organizationId } = stage
    const all = changes(stage, root)
    for (const member of MEMBERS)
      assert.equal(await refusal(all[member](NOBODY, GOOD[member])), {
        code: 5,
        error: 'REQUEST_INVALID',
        message: `unable to find user ${NOBODY} in organization ${organizationId}`,
        details: [],
      })
    const wrong = async (asked: Promise<unknown>) => (await refusal(asked)).details
    assert.equal(await wrong(all.userEmail(root.userId, 'ada')), violationOf('userEmail', 'expected an e-mail address'))
    assert.equal(
      await wrong(all.userPhoneNumber(root.userId, '44')),
      violationOf('userPhoneNumber', 'expected a phone number in E.164 format'),
    )
    for (const member of ['userEmail', 'userPhoneNumber'] as const)
      assert.is(
        (await refusal(all[member](root.userId, GOOD[member], { verificationToken: 'a token' }))).message,
        'invalid verification token',
      )
  }))

it('lets users change themselves only where a policy says so', () =>
  onStage(async (stage) => {
    const { done, root, enrol } = stage
    const ada = await enrol('ada')
    const all = changes(stage, ada)
    for (const member of MEMBERS) assert.is((await refusal(all[member](ada.userId, GOOD[member]))).code, 7)
    const condition = "activity.resource == 'USER' && activity.action == 'UPDATE'"
    await done(root, 'create_policy', { policyName: 'all', effect: 'EFFECT_ALLOW', condition, notes: '' })
    for (const member of MEMBERS)
      assert.is((await all[member](ada.userId, GOOD[member])).activity.status, 'ACTIVITY_STATUS_COMPLETED')
  }))

it('creates users with API keys only', () =>
  onStage(async ({ http, root, asks, organizationId }) => {
    const client = http(root)
    const create = (more: object = {}) => {
      const key = { apiKeyName: 'robot', publicKey: generateKey('API_KEY_CURVE_P256').publicKey }
      const user = { userName: 'robot', userEmail: 'robot@example.com', userTags: [], apiKeys: [key], ...more }
      const parameters = { apiOnlyUsers: [user] }
      return { user, sent: client.createApiOnlyUsers(asks('ACTIVITY_TYPE_CREATE_API_ONLY_USERS', parameters)) }
    }
    const { user, sent } = create()
    const { activity } = await sent
    assert.equal(activity.intent.createApiOnlyUsersIntent, { apiOnlyUsers: [user] })
    const [userId = ''] = activity.result.createApiOnlyUsersResult?.userIds ?? []
    const shown = (await client.getUser({ organizationId, userId })).user
    assert.equal([shown.userName, shown.userEmail], ['robot', 'robot@example.com'])
    const { publicKey } = shown.apiKeys[0]?.credential ?? {}
    assert.is(publicKey, user.apiKeys[0]?.publicKey)
    assert.match((await refusal(create({ apiKeys: [] }).sent)).message, /^user missing valid credential: /)
    assert.is((await refusal(create({ userTags: [NOBODY] }).sent)).code, 5)
    const again = await refusal(create({ apiKeys: user.apiKeys }).sent)
    assert.equal(again.details, violationOf('apiOnlyUsers.0.apiKeys.0.publicKey', 'This field must be unique.'))
  }))

it.run()
