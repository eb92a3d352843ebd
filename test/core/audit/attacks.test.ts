import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeUtf8 } from '../../../core/bytes.ts'
import { activityIdOf, fingerprintOf } from '../../../core/activity/identity.ts'
import { anyPasskey } from '../world/software-passkey.ts'
import { attacks, strangersStamp } from './attack-table.ts'
import { anotherId, draftsOf, find, forged, must, type Draft } from './forgery.ts'
import { audited, codesIn, digest, eventfulLog, exported, neighbour, type Trio } from './logs.ts'

/*
 * What somebody can do who has the whole store, but no keys. All hashes are made anew after each of these, the closing
 * line too: what is found here is found by what the log means. Each is tried on a log that keys have stamped, and on one
 * that passkeys have.
 */
for (const [by, options] of [
  ['keys', {}],
  ['passkeys of P-256', { passkeys: () => anyPasskey('ES256') }],
  ['passkeys of RSA', { passkeys: () => anyPasskey('RS256') }],
] as const) {
  const it = suite(`attacks on a log of ${by}`)

  let made: Trio
  let honest = ''
  it.before(async () => {
    ;({ made, honest } = await eventfulLog(options))
  })
  it.after(() => made.close())

  for (const [name, change, ofKeys, ofPasskeys = ofKeys] of attacks) {
    it(`are found: ${name}`, async () => {
      const drafts = draftsOf(honest)
      change(drafts, made)
      const codes = codesIn(await audited(forged(drafts)))
      for (const code of by === 'keys' ? ofKeys : ofPasskeys)
        assert.ok(codes.includes(code), `expected ${code} among ${codes.join(', ') || 'no findings'}`)
    })
  }

  it('are not seen where there are none', async () =>
    assert.equal(codesIn(await audited(forged(draftsOf(honest)))), []))

  it('are found: an activity is added by a key that nobody registered, or with the stamp of another request', async () => {
    const drafts = draftsOf(honest)
    const completed = find(drafts, 'ActivityCompleted', 2)
    const created = find(drafts, 'ActivityCreated', 2)
    const { head, body: honestBody } = must(created.request)
    const body = honestBody.replace('ada', 'eve')
    const fingerprint = fingerprintOf(digest, encodeUtf8(body))
    const activity = activityIdOf(digest, made.organizationId, fingerprint)
    for (const stamp of [strangersStamp(made, body), head.stamp]) {
      const added: Draft = structuredClone(created)
      added.event = { ...added.event, activity, id: anotherId(), data: { ...added.event.data, fingerprint } }
      added.request = { head: { ...head, stamp }, body }
      const changed: Draft = structuredClone(completed)
      changed.event = { ...changed.event, activity, id: anotherId() }
      const codes = codesIn(await audited(forged([...drafts.slice(0, 4), added, changed])))
      assert.ok(codes.includes('STAMP_INVALID') || codes.includes('SIGNATURE_INVALID'), codes.join())
    }
  })

  it('are found: events of another organization are spliced in', async () => {
    const other = await neighbour(made)
    const drafts = draftsOf(await exported(made.storage.store))
    for (const { event } of drafts) if (event.organization === other) event.organization = made.organizationId
    const codes = codesIn(await audited(forged(drafts)))
    assert.equal(codes, ['BASIS_DIFFERS', 'REQUEST_DIFFERS', 'STAMP_INVALID', 'TIME_DIFFERS'])
  })

  it.run()
}
