import { publicApi } from '../../core/resources/public-api.ts'
import { resource } from '../../core/definition/resource.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { noTimeZones } from '../../core/ports/no-time-zones.ts'
import { memoryStore } from '../../adapters/store-memory/index.ts'
import { Failure } from '../../core/failure.ts'
import { projection } from '../../core/definition/projection.ts'
import { codeOf, right, world } from './world/world.ts'

const it = suite('engine')

it('lets the root create a user and tells who is who', async () => {
  const { answer, close, enrol, root } = await world()
  const ada = await enrol('ada')
  assert.is((await answer(ada, 'whoami')).username, 'ada')
  assert.ok(Array.isArray((await answer(root, 'list_users')).users))
  await close()
})

it('gathers two of three approvals before an activity completes', async () => {
  const { approve, close, done, enrol, root, answer } = await world()
  const ada = await enrol('ada')
  const grace = await enrol('grace')
  await done(root, 'update_root_quorum', { threshold: 2, userIds: [root.userId, ada.userId, grace.userId] })
  const pending = await done(ada, 'create_user_tag', { userTagName: 'ops', userIds: [] })
  assert.is(pending.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  const completed = right(await approve(grace, pending))
  assert.is(completed.status, 'ACTIVITY_STATUS_COMPLETED')
  assert.is(completed.id, pending.id)
  const listed = (await answer(root, 'list_activities')).activities as readonly { readonly id: string }[]
  assert.is(listed[0]?.id, pending.id)
  await close()
})

it('refuses a user whom no policy allows, and remembers it', async () => {
  const { body, close, enrol, send } = await world()
  const ada = await enrol('ada')
  const bytes = body('create_user_tag', { userTagName: 'ops', userIds: [] })
  assert.is(codeOf(await send(ada, 'create_user_tag', bytes)), 'REQUEST_NOT_AUTHORIZED')
  assert.is(codeOf(await send(ada, 'create_user_tag', bytes)), 'REQUEST_NOT_AUTHORIZED')
  await close()
})

it('refuses time zones whose version could not stand in a log', async () => {
  for (const version of ['', 'with spaces', 'x'.repeat(33), '\u001b[2J']) {
    const timeZones = { version, isKnown: () => false, offsetMs: () => undefined }
    const refused: unknown = await world({ timeZones }).catch((cause: unknown) => cause)
    assert.ok(Failure.is(refused) && refused.code === 'CONFIGURATION_INVALID')
    assert.match(refused.message, 'timeZones: expected a version')
  }
})

it('reads policies in UTC where no time zones are given', async () => {
  const { close, done, enrol, root, submit } = await world({ timeZones: noTimeZones })
  const policy = (time: string) => ({ policyName: 'hours', effect: 'EFFECT_ALLOW', notes: '', time })
  const refused = await submit(root, 'create_policy', policy("CronSpan('0 0 1 1 *', '1h', 'Europe/Berlin')"))
  assert.is(codeOf(refused), 'REQUEST_INVALID')
  await done(root, 'create_policy', policy("CronSpan('0 0 1 1 *', '1h', 'UTC')"))
  await done(await enrol('ada'), 'create_user_tag', { userTagName: 'in the first hour of the year', userIds: [] })
  await close()
})

it('refuses numbers with which nothing would ever be done', async () => {
  for (const options of [
    { effectsAtOnce: 0 },
    { effectsAtOncePerOrganization: -1 },
    { leaseMs: 999 },
    { commandsAtOnce: 0 },
    { waitForEffectsMax: 0 },
    { closeWithinMs: Number.NaN },
    { organizationsMax: 1.5 },
  ]) {
    const refused: unknown = await world(options).catch((cause: unknown) => cause)
    assert.ok(Failure.is(refused) && refused.code === 'CONFIGURATION_INVALID')
    assert.match(refused.message, Object.keys(options)[0] ?? '')
  }
})

it('lets go of the projections that it has begun, when a later one cannot be', async () => {
  const { store, readModels } = memoryStore()
  let watching = 0
  const watch = (onAppended: () => void): (() => void) => {
    const stop = store.watch(onAppended)
    watching += 1
    return () => {
      watching -= 1
      stop()
    }
  }
  const again = () => resource({ name: 'again', projections: [projection({ name: 'again', version: 1, on: [] })] })
  const refused: unknown = await world({
    store: { store: { ...store, watch }, readModels },
    resources: [...publicApi, again(), again()],
  }).catch((cause: unknown) => cause)
  assert.ok(Failure.is(refused) && refused.code === 'CONFIGURATION_INVALID')
  assert.is(watching, 0)
})

it.run()
