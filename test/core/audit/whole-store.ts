import * as assert from 'uvu/assert'
import type { Test } from 'uvu'
import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import type { Json } from '../../../core/failure.ts'
import type { FindingCode } from '../../../core/log/finding.ts'
import { REQUEST } from '../../../core/log/parts.ts'
import { profile } from '../../../core/organization/profile.ts'
import { decodeStates, encodeStates, snapshotVersionOf } from '../../../core/organization/snapshot.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import { erasure, eraseUser } from '../../../core/resources/erasure/erasure.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { secondProcess } from '../command/second-process.ts'
import { right, stamped } from '../world/world.ts'
import { auditedWith, erased, isOf, office, type Office } from './erasures-log.ts'
import { decisionOf, draftsOf, forged, must, rebased, type Draft } from './forgery.ts'
import { audited, codesIn, exported } from './logs.ts'

const DAY_MS = 24 * 60 * 60 * 1000

type Forgery = readonly [
  name: string,
  change: (drafts: Draft[], made: Office) => unknown,
  codes: readonly FindingCode[],
]

const outcomeOf = (draft: Draft): unknown => decisionOf(draft).verdict['outcome']
const isDecided = ({ event }: Draft): boolean => event.data.decision !== undefined

/** What somebody can do who has the whole store, and knows the pin: everything but stamps. */
const forgeries: readonly Forgery[] = [
  [
    'the conclusion of an erased request gives somebody another key',
    (drafts) => {
      const gone = new Set(
        drafts.filter((one) => one.erased?.[REQUEST] !== undefined).map(({ event }) => event.activity),
      )
      const end = must(
        drafts.find(
          ({ event }) =>
            event.type === 'ActivityCompleted' && gone.has(event.activity) && 'users' in (event.data.change as object),
        ),
      )
      const { users } = end.event.data.change as { readonly users: { readonly apiKeys: { publicKey: string }[] }[] } // our own log
      must(must(users[1]).apiKeys[0]).publicKey = `02${'ab'.repeat(32)}`
    },
    ['ERASURE_DIFFERS', 'PART_ERASED'],
  ],
  [
    'an erased person who might still have approved is why something is allowed',
    (drafts, { carol }) => {
      const waits = must(
        drafts.find(
          (one) => isDecided(one) && outcomeOf(one) === 'CONSENSUS_NEEDED' && one.event.data.requester === carol.userId,
        ),
      )
      decisionOf(waits).verdict['outcome'] = 'ALLOWED'
    },
    ['DECISION_DIFFERS', 'ERASURE_DIFFERS'],
  ],
  [
    'a decision that read the e-mail address of an erased person is another one',
    (drafts, { bob }) => {
      const byEmail = must(
        drafts.find((one) => isDecided(one) && isOf('CREATE_USER_TAG')(one) && one.event.data.requester === bob.userId),
      )
      const [, second] = decisionOf(byEmail).verdict['evaluations'] as { outcome: Json }[] // our own log
      must(second).outcome = 'OUTCOME_ERROR'
    },
    ['ERASURE_DIFFERS', 'PART_ERASED'],
  ],
  [
    'the request of an erasure names another head',
    (drafts) => {
      const { request } = must(drafts.find(({ event }) => event.data.type === eraseUser.type))
      must(request).body = must(request).body.replace(/"hash":"[0-9a-f]/, '"hash":"x')
    },
    ['REQUEST_DIFFERS', 'SIGNATURE_INVALID'],
  ],
]

/** Registers the tests of what an audit finds in the export of a store of this kind. */
export const findsInWholeStore = (it: Test, open: () => Promise<Storage>): void => {
  let made: Office
  let honest = ''
  it.before(async () => {
    made = await office(await open())
    honest = (await erased(made, made.bob.userId)).text
  })
  it.after(() => made.close())

  it('finds nothing in the honest log, with its pin and its head', async () => {
    const { organizations } = await auditedWith(honest)
    const pins = new Map(organizations.map(({ organization, genesis = '' }) => [organization, genesis]))
    assert.equal((await audited(honest, { pins, heads: organizations }, [eraseUser])).findings, [])
  })

  for (const [name, change, codes] of forgeries)
    it(`finds, with a pin alone: ${name}`, async () => {
      const drafts = draftsOf(honest)
      change(drafts, made)
      const { organizations } = await auditedWith(honest)
      const pins = new Map(organizations.map(({ organization, genesis = '' }) => [organization, genesis]))
      const found = codesIn(await audited(forged(rebased(drafts)), { pins }, [eraseUser]))
      for (const code of codes) assert.ok(found.includes(code), `expected ${code} among ${found.join()}`)
    })

  it('finds a snapshot that is not the state of the log, of which the lines say nothing', async () => {
    const { engine, storage, organizationId } = made
    const { catalogue } = engine
    const auditedStore = async () =>
      codesIn(await audited(honest, {}, [eraseUser], undefined, undefined, storage.readModels))
    const log = right(await storage.store.readLog(organizationId, 0n, 1_000)())
    const last = must(log.at(-1))
    const { state } = right(await engine.replayOrganization(organizationId)())
    const hash = nodeDigest().sha256Hex(last.line)
    const version = snapshotVersionOf(nodeDigest(), catalogue)
    const drops = right(await storage.readModels.snapshotDrops(organizationId)())
    const save = async (parts: ReturnType<typeof encodeStates>['parts']) => {
      const snapshot = { organization: organizationId, sequence: last.sequence, hash, version, parts }
      return right(await storage.readModels.saveSnapshot(snapshot, undefined, drops)())
    }
    await save(encodeStates(state).parts)
    assert.equal(await auditedStore(), [])
    const changed = must(decodeStates(organizationId, encodeStates(state).parts, catalogue))
    profile.in(changed).name = 'made up'
    await save(encodeStates(changed).parts)
    assert.equal(await auditedStore(), ['SNAPSHOT_DIFFERS'])
    right(await storage.readModels.dropSnapshot(organizationId)())
  })

  it('finds a clock of any age, by which an old request is done', async () => {
    const { ada, body, clock, root, done, storage } = made
    clock.pass(2 * DAY_MS)
    await done(root, 'create_user_tag', { userTagName: 'two days later', userIds: [] })
    clock.pass(-2 * DAY_MS)
    const goingOn = await secondProcess(made, { resources: [...publicApi, ...erasure], clockLagMaxMs: 1_000 * DAY_MS })
    right(
      await goingOn.submit(
        'create_user_tag',
        stamped(ada, body('create_user_tag', { userTagName: 'old', userIds: [] })),
      )(),
    )
    const text = await exported(storage.store)
    assert.equal(codesIn(await auditedWith(text)), ['TIME_DIFFERS'])
    assert.equal((await audited(text, { clockLagMaxMs: 3 * DAY_MS }, [eraseUser])).findings, [])
  })
}
