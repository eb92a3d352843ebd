import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import { world, type Signer, type World } from '../world/world.ts'
import { decisionOf, draftsOf, forged, must } from './forgery.ts'
import { audited, codesIn, exported } from './logs.ts'

/*
 * The key of a session is good for minutes, and a request for an hour: whoever writes the log could let a request be decided
 * on when its key was good no longer.
 */
const it = suite('requests by keys that expire')

const MINUTE_MS = 60_000

let made: World
let session: Signer
let honest = ''
it.before(async () => {
  made = await world()
  const key = generateKey('API_KEY_CURVE_P256')
  const apiKey = { apiKeyName: 'session', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }
  const apiKeys = [{ ...apiKey, expirationSeconds: '900' }]
  await made.done(made.root, 'create_api_keys', { userId: made.root.userId, apiKeys })
  session = { key }
  made.clock.pass(15 * MINUTE_MS - 1)
  await made.done(session, 'create_user_tag', { userTagName: 'in time', userIds: [] })
  honest = await exported(made.storage.store)
})
it.after(() => made.close())

/** What an audit finds where the last request was decided on so much later. */
const later = async (ms: number): Promise<readonly string[]> => {
  const drafts = draftsOf(honest)
  const { activity } = must(drafts.at(-1)).event
  for (const draft of drafts.filter(({ event }) => event.activity === activity)) {
    const { event } = draft
    event.at = new Date(Date.parse(event.at) + ms).toISOString()
    if (event.data.decision !== undefined) decisionOf(draft).basis.at = event.at
  }
  return codesIn(await audited(forged(drafts)))
}

it('are in order to the last millisecond', async () => {
  assert.equal(codesIn(await audited(honest)), [])
  assert.equal(await later(0), [])
})

it('are found from the moment on at which the key expires', async () => {
  assert.equal(await later(1), ['STAMP_INVALID'])
  assert.equal(await later(30 * MINUTE_MS), ['STAMP_INVALID'])
})

it.run()
