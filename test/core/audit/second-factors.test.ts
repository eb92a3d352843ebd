import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { simpleWebAuthn } from '../../../adapters/attestations/attestations.ts'
import { stamp } from '../../../adapters/signatures/signer.ts'
import { encodeUtf8 } from '../../../core/bytes.ts'
import { simulatePolicies } from '../../../core/policy-tools/simulate-policies.ts'
import type { FindingCode } from '../../../core/log/finding.ts'
import type { ActivityView } from '../../../core/view/activity-view.ts'
import { API_KEY, KEY_AND_PASSKEY, keyringOf, PASSKEY, requires, steps, type Keyring } from '../command/factors.ts'
import { right, world, type World } from '../world/world.ts'
import { copied, decisionOf, draftsOf, forged, must, rebased, type Draft } from './forgery.ts'
import { audited, codesIn, digest, exported } from './logs.ts'

/*
 * A log in which second factors were given, and forgeries of it: all hashes are made anew, and every decision says that it was made on the
 * state right before it.
 */
const it = suite('second factors in an audit')

const tags = {
  policyName: 'tags',
  effect: 'EFFECT_ALLOW' as const,
  condition: "activity.resource == 'USER'",
  consensus: 'approvers.count() >= 1',
  notes: '',
}

let made: World & { readonly ada: Keyring; readonly grace: Keyring }
/** Given by a key and a passkey; waits for the passkey; lapsed before the passkey came; the second key was deleted. */
let [given, waits, lapsed, deleted]: readonly ActivityView[] = []
let honest = ''

it.before(async () => {
  const w = await world()
  const { approve, clock, done, root } = w
  await done(root, 'create_policy', tags)
  const ada = await keyringOf(w, await w.enrol('ada'))
  const grace = await keyringOf(w, await w.enrol('grace'))
  made = { ...w, ada, grace }
  await requires(w, ada.first, KEY_AND_PASSKEY)
  await requires(w, grace.first, steps(API_KEY, API_KEY, PASSKEY))
  let n = 0
  const propose = ({ first }: Keyring) =>
    done(first, 'create_user_tag', { userTagName: `tag ${(n += 1)}`, userIds: [] })
  given = await propose(ada)
  right(await approve(ada.passkey, given))
  waits = await propose(ada)
  lapsed = await propose(ada)
  clock.pass(25 * 60 * 60_000)
  right(await approve(ada.passkey, lapsed))
  deleted = await propose(grace)
  right(await approve(grace.second, deleted))
  const apiKeyIds = [grace.second.apiKeyId]
  await done(root, 'delete_api_keys', { userId: grace.first.userId, apiKeyIds })
  right(await approve(grace.passkey, deleted))
  honest = await exported(w.storage.store)
})
it.after(() => made.close())

const eventsOf = (drafts: readonly Draft[], of: ActivityView | undefined): readonly Draft[] =>
  drafts.filter(({ event }) => event.activity === of?.id)

/** Says that a decision has allowed its activity, with these factors, and completes it as another one was. */
const allow = (drafts: Draft[], at: Draft, factors: readonly string[]): void => {
  const decision = decisionOf(at)
  decision.verdict['outcome'] = 'ALLOWED'
  decision.basis['factors'] = factors.toSorted()
  const completed = copied(must(eventsOf(drafts, given).at(-1)))
  Object.assign(completed.event, { activity: at.event.activity, at: at.event.at })
  drafts.splice(drafts.indexOf(at) + 1, 0, completed)
}

type Forgery = readonly [name: string, change: (drafts: Draft[]) => void, found: readonly FindingCode[]]

const forgeries: readonly Forgery[] = [
  [
    'a decision counts a factor that nobody gave',
    (drafts) => {
      const [created] = eventsOf(drafts, waits)
      decisionOf(must(created)).basis['factors'] = [made.ada.first.apiKeyId, made.ada.passkey.apiKeyId].toSorted()
    },
    ['BASIS_DIFFERS'],
  ],
  [
    'a decision counts a factor of another user',
    (drafts) => {
      const [created] = eventsOf(drafts, waits)
      decisionOf(must(created)).basis['factors'] = [made.ada.first.apiKeyId, made.grace.passkey.apiKeyId].toSorted()
    },
    ['BASIS_DIFFERS'],
  ],
  [
    'a decision does not name a factor that was given',
    (drafts) => {
      const [, voted] = eventsOf(drafts, given)
      decisionOf(must(voted)).basis['factors'] = [made.ada.first.apiKeyId]
    },
    ['BASIS_DIFFERS'],
  ],
  [
    'an activity is completed with a step missing',
    (drafts) => allow(drafts, must(eventsOf(drafts, waits)[0]), [made.ada.first.apiKeyId]),
    ['DECISION_DIFFERS'],
  ],
  [
    'an activity is completed by a factor that nobody gave',
    (drafts) => allow(drafts, must(eventsOf(drafts, waits)[0]), [made.ada.first.apiKeyId, made.ada.passkey.apiKeyId]),
    ['BASIS_DIFFERS', 'DECISION_DIFFERS'],
  ],
  [
    'an activity is completed by a factor of a window that has lapsed',
    (drafts) => allow(drafts, must(eventsOf(drafts, lapsed)[1]), [made.ada.first.apiKeyId, made.ada.passkey.apiKeyId]),
    ['BASIS_DIFFERS', 'DECISION_DIFFERS'],
  ],
  [
    'an activity is completed by a factor of a credential that was deleted',
    (drafts) => {
      const { first, second, passkey } = made.grace
      const factors = [first.apiKeyId, second.apiKeyId, passkey.apiKeyId]
      allow(drafts, must(eventsOf(drafts, deleted).at(-1)), factors)
    },
    ['BASIS_DIFFERS', 'DECISION_DIFFERS'],
  ],
  [
    'the vote that gave the factor is left out',
    (drafts) => {
      const [, voted] = eventsOf(drafts, given)
      drafts.splice(drafts.indexOf(must(voted)), 1)
    },
    ['STATUS_IMPOSSIBLE'],
  ],
  [
    'a credential votes that meets no step',
    (drafts) => {
      const { second } = made.ada
      const [created, voted] = [must(eventsOf(drafts, waits)[0]), copied(must(eventsOf(drafts, given)[1]))]
      const body = voted.request?.body.replace(must(given).fingerprint, must(waits).fingerprint) ?? ''
      Object.assign(voted.event, { activity: created.event.activity })
      voted.request = { head: { header: 'X-Stamp', stamp: stamp(second.key, encodeUtf8(body)) }, body }
      const { verdict, basis } = structuredClone(decisionOf(created))
      Object.assign(decisionOf(voted), { verdict, basis: { ...basis, credential: second.apiKeyId } })
      drafts.splice(drafts.indexOf(created) + 1, 0, voted)
    },
    ['VOTE_INVALID'],
  ],
]

it('are given as the log says', async () => {
  const report = await audited(honest)
  assert.equal(report.findings, [])
  assert.is(report.counts.decisions > 0, true)
})

it('are part of decisions that are taken again with the same policies', async () => {
  const attestations = simpleWebAuthn({ digest })
  const totals = await simulatePolicies(made.storage.store, [tags], { attestations })
  assert.equal([totals.differences, totals.unknown], [0, 0])
})

for (const [name, change, found] of forgeries)
  it(`is found: ${name}`, async () => {
    const drafts = draftsOf(honest)
    change(drafts)
    const codes = codesIn(await audited(forged(rebased(drafts))))
    for (const code of found) assert.ok(codes.includes(code), `${code} is not among ${codes.join(', ')}`)
  })

it('is found where the request is gone, too: a factor that nobody gave', async () => {
  const drafts = draftsOf(honest)
  const [created] = eventsOf(drafts, waits)
  const { event } = must(created)
  const { request = '' } = event.parts
  Object.assign(must(created), { request: undefined, erased: { request } })
  const messages = async () => (await audited(forged(rebased(drafts)))).findings.map(({ message }) => message)
  const mayBeGone = (text: string) => !text.includes('request')
  assert.equal((await messages()).filter(mayBeGone), [])
  decisionOf(must(created)).basis['factors'] = [made.ada.passkey.apiKeyId]
  assert.equal((await messages()).filter(mayBeGone), [
    'a second factor of the decision is the credential of no approval',
  ])
})

it.run()
