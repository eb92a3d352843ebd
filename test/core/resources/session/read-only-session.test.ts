import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeUtf8 } from '../../../../core/bytes.ts'
import { codeOf, right, stamped, world, type Person, type Place, type World } from '../../world/world.ts'
import { exported } from '../../audit/logs.ts'
import { childOf, family } from '../sub-organization/children.ts'

const it = suite('create_read_only_session')

const HOUR_MS = 60 * 60 * 1000

const office = async () => {
  const made = await world()
  return { ...made, ada: await made.enrol('ada') }
}

type Result = { readonly session: string; readonly sessionExpiry: string; readonly userId: string }

const resultIn = (result: object): Result => Object.values(result)[0] as Result // as the wire says

const sessionOf = async (place: Place, person: Person) => {
  const { id, result } = await place.done(person, 'create_read_only_session', {})
  return { id, ...resultIn(result) }
}

/** Asks with a read-only session in place of a stamp. */
const asks =
  ({ engine, organizationId }: Pick<World, 'engine' | 'organizationId'>) =>
  (session: string | readonly string[], path = 'whoami', members: object = {}, address: string | null = null) => {
    const body = encodeUtf8(JSON.stringify({ organizationId, ...members }))
    return engine.query(path, { headers: { 'x-session': session }, body, address })()
  }

it('asks in the name of its user for an hour', async () => {
  const made = await office()
  const { ada, clock, close } = made
  const { session, sessionExpiry, userId } = await sessionOf(made, ada)
  const ask = asks(made)
  assert.is(userId, ada.userId)
  assert.is(sessionExpiry, String(Math.floor(clock.now() / 1000) + 3_600))
  assert.is(right(await ask(session))['userId'], ada.userId)
  for (const path of ['list_activities', 'list_users', 'get_organization', 'get_api_keys'])
    right(await ask(session, path))
  clock.set(Number(sessionExpiry) * 1000 - 1)
  assert.is(right(await ask(session))['userId'], ada.userId)
  clock.set(Number(sessionExpiry) * 1000)
  assert.is(codeOf(await ask(session)), 'UNAUTHENTICATED')
  await close()
})

it('asks over midnight', async () => {
  const made = await office()
  made.clock.set(Date.parse('2026-01-05T23:59:00.000Z'))
  const { session } = await sessionOf(made, made.ada)
  made.clock.pass(HOUR_MS / 2)
  right(await asks(made)(session))
  await made.close()
})

it('is refused where it was cut, changed or sent twice, in another organization, and without its user', async () => {
  const made = await family()
  const ada = await made.enrol('ada')
  const child = await childOf(made)
  const { session } = await sessionOf(made, ada)
  const ask = asks(made)
  const last = session.at(-1) === 'A' ? 'B' : 'A'
  for (const wrong of ['', 'x', session.slice(0, -1), session.slice(0, -1) + last, `${session}A`, `${session}=`])
    assert.is(codeOf(await ask(wrong)), 'UNAUTHENTICATED', wrong)
  assert.is(codeOf(await ask([session, session])), 'UNAUTHENTICATED')
  assert.is(codeOf(await asks({ ...made, organizationId: child.organizationId })(session)), 'UNAUTHENTICATED')
  right(await ask(session))
  await made.done(made.root, 'delete_users', { userIds: [ada.userId] })
  assert.is(codeOf(await ask(session)), 'UNAUTHENTICATED')
  await made.close()
})

it('counts for nothing beside a stamp, and submits nothing', async () => {
  const made = await office()
  const { ada, engine, root } = made
  const { session } = await sessionOf(made, ada)
  const body = encodeUtf8(JSON.stringify({ organizationId: made.organizationId }))
  for (const own of [session, 'anything', [session, session]]) {
    const request = stamped(root, body)
    const headers = { ...request.headers, 'X-Session': own }
    assert.is(right(await engine.query('whoami', { ...request, headers })())['userId'], root.userId)
  }
  const tag = made.body('create_user_tag', { userTagName: 'tag', userIds: [] })
  const submitted = await engine.submit('create_user_tag', {
    headers: { 'X-Session': session },
    body: tag,
    address: null,
  })()
  assert.is(codeOf(submitted), 'SIGNATURE_MISSING')
  assert.is(codeOf(await engine.query('whoami', { headers: {}, body, address: null })()), 'SIGNATURE_MISSING')
  await made.close()
})

it('asks from no address that the organization does not let in', async () => {
  const made = await office()
  const { session } = await sessionOf(made, made.ada)
  const parameters = { enabled: true, rules: [{ cidr: '192.0.2.0/24', label: 'office' }] }
  const body = made.body('set_ip_allowlist', parameters)
  right(await made.engine.submit('set_ip_allowlist', { ...stamped(made.root, body), address: '192.0.2.1' })())
  const ask = asks(made)
  assert.is(codeOf(await ask(session, 'whoami', {}, '198.51.100.1')), 'REQUEST_NOT_AUTHORIZED')
  right(await ask(session, 'whoami', {}, '192.0.2.7'))
  await made.close()
})

it('is shown to its requester again, and to nobody else', async () => {
  const made = await family()
  const child = await childOf(made)
  const [ada, bob] = [await child.enrol('ada'), await child.enrol('bob')]
  const { id, session } = await sessionOf(child, ada)
  const shownTo = async (person: Person): Promise<string> => {
    const { activity } = await child.answer(person, 'get_activity', { activityId: id })
    return resultIn((activity as { readonly result: object }).result).session
  }
  assert.is(await shownTo(ada), session)
  for (const other of [bob, child.root, made.root]) assert.is(await shownTo(other), '')
  const asked = await asks({ ...made, organizationId: child.organizationId })(session, 'get_activity', {
    activityId: id,
  })
  assert.not.ok(JSON.stringify(right(asked)).includes(session)) // who has a session gets no other one by it
  const listed = JSON.stringify(await child.answer(bob, 'list_activities'))
  assert.not.ok(listed.includes(session))
  made.clock.pass(48 * HOUR_MS)
  assert.is(await shownTo(ada), '')
  await made.close()
})

it('stands in no line and in no part as it is', async () => {
  const made = await office()
  const { session } = await sessionOf(made, made.ada)
  assert.not.ok((await exported(made.storage.store)).includes(session))
  await made.close()
})

it.run()
