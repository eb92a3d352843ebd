import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import { activityIdOf } from '../../../core/activity/identity.ts'
import type { AuditOptions } from '../../../core/audit/report.ts'
import { encodeUtf8 } from '../../../core/bytes.ts'
import type { Json } from '../../../core/failure.ts'
import { hashOf } from '../../../core/log/chain.ts'
import { eraseUser } from '../../../core/resources/erasure/erase-user.ts'
import { childOf, family } from '../resources/sub-organization/children.ts'
import { begin } from '../world/world.ts'
import { anotherId, decisionOf, draftsOf, fail, forged, must, type Draft } from './forgery.ts'
import { audited, closed, codesIn, digest, exported, linesOf } from './logs.ts'

const it = suite('audits of organizations below another one')

/** Two parents with a child each, of which the first one erases a user of its child. */
const log = async (): Promise<{
  readonly text: string
  readonly parent: string
  readonly other: string
  readonly child: string
}> => {
  const w = await family()
  const other = await begin(w)
  const child = await childOf(w)
  await childOf({ ...w, ...other }, 'olga')
  const bob = await child.enrol('bob')
  await child.done(child.root, 'delete_users', { userIds: [bob.userId] })
  await child.done(w.root, 'erase_user', { userId: bob.userId })
  await w.done(w.root, 'create_user_tag', { userTagName: 'later', userIds: [] })
  const text = await exported(w.storage.store)
  await w.close()
  return { text, parent: w.organizationId, other: other.organizationId, child: child.organizationId }
}
const made = await log()
const { parent, other, child } = made

const report = (text: string, options: AuditOptions = {}) => audited(text, options, [eraseUser])
const codes = async (text: string, options: AuditOptions = {}) => codesIn(await report(text, options))

const isOf =
  (organization: string, type: string) =>
  ({ event }: Draft): boolean =>
    event.organization === organization && event.type === type
const first = (drafts: readonly Draft[], organization: string, type: string): Draft =>
  must(drafts.find(isOf(organization, type)))
/** The activity of the parent that began its child. */
const isCreation = ({ event }: Draft): boolean =>
  event.organization === parent &&
  event.activity === must(draftsOf(made.text).find(isOf(parent, 'ActivityStarted'))).event.activity
const completion = (drafts: readonly Draft[]): Draft =>
  must(drafts.find((draft) => isCreation(draft) && draft.event.type === 'ActivityCompleted'))

/** The drafts as a log whose hashes all fit, those by which a parent names what is below it too. */
const fitted = (drafts: readonly Draft[]): string => {
  const isSecond = (line: string): boolean => line.startsWith(`{"organization":"${child}","sequence":"2"`)
  const line = linesOf(forged(drafts)).find(isSecond)
  const end = drafts.find((draft) => isCreation(draft) && draft.event.type === 'ActivityCompleted')
  if (line !== undefined && end !== undefined)
    end.event.data.performed = { genesisHash: hashOf(digest, encodeUtf8(line)) }
  return forged(drafts)
}

/** The log after a change of its drafts. */
const after = (change: (drafts: Draft[]) => readonly Draft[] | void): string => {
  const drafts = draftsOf(made.text)
  return fitted(change(drafts) ?? drafts)
}

it('have no finding in an honest log, and count each beginning', async () => {
  const { findings, counts } = await report(made.text)
  assert.equal(findings, [])
  assert.equal([counts.believed, counts.readBehind], [0, 0])
  assert.is(counts.executions + counts.executionsErased, counts.activities)
  assert.is(fitted(draftsOf(made.text)), made.text)
})

it('take a pin on the parent for one on what is below', async () => {
  const genesisOf = async (id: string) =>
    must((await report(made.text)).organizations.find((one) => one.organization === id)).genesis
  const pins = new Map([[parent, must(await genesisOf(parent))]])
  const { organizations } = await report(made.text, { pins })
  assert.equal(
    organizations.filter(({ isPinned }) => isPinned).map(({ organization }) => organization),
    [parent, child],
  )
})

const forgeries: {
  readonly [what: string]: readonly [(drafts: Draft[]) => readonly Draft[] | void, readonly string[]]
} = {
  'another first key': [
    (drafts) => {
      const change = first(drafts, child, 'ActivityCompleted').event.data.change as {
        users: { apiKeys: { publicKey: string }[] }[]
      }
      must(must(change.users[0]).apiKeys[0]).publicKey = generateKey('API_KEY_CURVE_P256').publicKey
    },
    ['EXECUTION_DIFFERS'],
  ],
  'another feature': [
    (drafts) => {
      const change = first(drafts, child, 'ActivityCompleted').event.data.change as { features: string[] }
      change.features = change.features.slice(1)
    },
    ['EXECUTION_DIFFERS'],
  ],
  'a second child of one activity': [
    (drafts) => {
      const organization = anotherId()
      const copies = drafts
        .filter(({ event }) => event.organization === child && Number(event.sequence) <= 2)
        .map((draft): Draft => {
          const copy = structuredClone(draft)
          const { fingerprint } = first(drafts, child, 'ActivityCreated').event.data
          copy.event = {
            ...copy.event,
            organization,
            id: anotherId(),
            activity: activityIdOf(digest, organization, fingerprint as string),
          }
          if (copy.event.type === 'ActivityCompleted') copy.event.data.result = { organizationId: organization }
          else must((decisionOf(copy).basis.read as { organization: string }[])[0]).organization = organization
          return copy
        })
      const at = drafts.indexOf(completion(drafts))
      return [...drafts.slice(0, at), ...copies, ...drafts.slice(at)]
    },
    ['GENESIS_INVALID'],
  ],
  'another parent': [
    (drafts) => {
      const read = decisionOf(first(drafts, child, 'ActivityCreated')).basis.read as {
        organization: string
        sequence: string
      }[]
      must(read[1]).organization = other
      const end = first(drafts, child, 'ActivityCompleted').event
      Object.assign(end.data.change as object, { parentId: other })
      end.data.read = [...read.slice(1)]
    },
    ['GENESIS_INVALID', 'PERFORMED_DIFFERS'],
  ],
  'another parent in the change alone': [
    (drafts) =>
      void Object.assign(first(drafts, child, 'ActivityCompleted').event.data.change as object, { parentId: other }),
    ['EXECUTION_DIFFERS'],
  ],
  'a start that is gone': [
    (drafts) => drafts.filter((draft) => !(isCreation(draft) && draft.event.type === 'ActivityStarted')),
    ['GENESIS_INVALID', 'STATUS_IMPOSSIBLE'],
  ],
  'an activity that is gone': [(drafts) => drafts.filter((draft) => !isCreation(draft)), ['GENESIS_INVALID']],
  'a start that does not say what it begins': [
    (drafts) => void delete first(drafts, parent, 'ActivityStarted').event.data.begins,
    ['GENESIS_INVALID', 'STATUS_IMPOSSIBLE'],
  ],
  'an older state of the parent': [
    (drafts) => {
      const [, read] = decisionOf(first(drafts, child, 'ActivityCreated')).basis.read as { sequence: string }[]
      must(read).sequence = '2'
      first(drafts, child, 'ActivityCompleted').event.data.read = [must(read)]
    },
    ['BASIS_DIFFERS'],
  ],
  'a state of the parent that is none': [
    (drafts) => {
      const [, read] = decisionOf(first(drafts, child, 'ActivityCreated')).basis.read as { sequence: string }[]
      must(read).sequence = 'x'
    },
    ['BASIS_DIFFERS', 'GENESIS_INVALID'],
  ],
  'another requester': [
    (drafts) => void (first(drafts, child, 'ActivityCreated').event.data.requester = anotherId()),
    ['GENESIS_INVALID', 'PERFORMED_DIFFERS'],
  ],
  'another credential': [
    (drafts) => void (decisionOf(first(drafts, child, 'ActivityCreated')).basis.credential = anotherId()),
    ['BASIS_DIFFERS'],
  ],
  'a beginning behind the end of its activity': [
    (drafts) => {
      const at = drafts.indexOf(completion(drafts))
      const isChild = ({ event }: Draft): boolean => event.organization === child && Number(event.sequence) <= 2
      const rest = drafts.filter((draft) => !isChild(draft))
      return [
        ...drafts.slice(0, at + 1).filter((draft) => !isChild(draft)),
        ...drafts.filter(isChild),
        ...rest.slice(at - 1),
      ]
    },
    ['BASIS_DIFFERS', 'GENESIS_INVALID'],
  ],
  'a creation that failed': [(drafts) => fail(completion(drafts), 'CONFLICT'), ['STATUS_IMPOSSIBLE']],
  'an erasure that the child decided': [
    (drafts) => void delete must(drafts.find(({ event }) => event.data.home !== undefined)).event.data.home,
    ['BASIS_DIFFERS', 'DECISION_DIFFERS', 'STAMP_INVALID'],
  ],
  'an erasure that another organization decided': [
    (drafts) => void (must(drafts.find(({ event }) => event.data.home !== undefined)).event.data.home = other),
    ['BASIS_DIFFERS'],
  ],
  'an activity that the parent must not decide': [
    (drafts) => {
      const created = must(
        drafts.find(({ event }) => event.organization === child && event.data.type === 'ACTIVITY_TYPE_DELETE_USERS'),
      )
      created.event.data.home = parent
    },
    ['BASIS_DIFFERS'],
  ],
}

for (const [what, [change, expected]] of Object.entries(forgeries))
  it(`find ${what}`, async () => {
    const found = await codes(after(change))
    for (const code of expected) assert.ok(found.includes(code), `${code} among ${found.join()}`)
  })

it('find that the parent names another beginning', async () => {
  const drafts = draftsOf(made.text)
  completion(drafts).event.data.performed = { genesisHash: '0'.repeat(64) }
  assert.equal(await codes(forged(drafts)), ['PERFORMED_DIFFERS'])
})

/** The lines of the log without those of an organization, and its parts. */
const without = (organization: string): readonly string[] => {
  const gone = new Set<string>()
  return linesOf(made.text).filter((line) => {
    const {
      organization: of,
      id = '',
      of: part,
    } = JSON.parse(line) as { organization?: string; id?: string; of?: string } // our own export
    if (of === organization) gone.add(id)
    return of !== organization && !gone.has(part ?? '')
  })
}

it('count what is not in the transcript as believed, above and below', async () => {
  for (const organization of [parent, child]) {
    const text = closed(without(organization))
    const { findings, counts } = await report(text)
    assert.equal(findings, [], organization)
    assert.ok(counts.believed > 0)
    assert.equal(await codes(text, { believedMax: 0 }), ['STATE_MISSING'])
  }
})

it('count a parent that had changed meanwhile, where that does not matter', async () => {
  const drafts = draftsOf(made.text)
  const isErasure = ({ event }: Draft): boolean => event.organization === child && event.data.home === parent
  const { activity } = must(drafts.find(isErasure)).event
  const isOfIt = ({ event }: Draft): boolean => event.activity === activity
  const moved = [...drafts.filter((draft) => !isOfIt(draft)), ...drafts.filter(isOfIt)]
  const { at } = must(moved.findLast((draft) => !isOfIt(draft))).event
  assert.is(must(moved.at(-1)).event.at, at, 'the clock of the test stands still')
  const { findings, counts } = await report(forged(moved))
  assert.equal([findings, counts.readBehind > 0], [[], true])
})

it('count as erased what a beginning rested on', async () => {
  const w = await family()
  const eve = await childOf(w)
  await eve.done(eve.root, 'delete_sub_organization', {})
  const { head } = await w.answer(w.root, 'list_personal_places', { userId: eve.root.userId })
  const erasure: Json = { userId: eve.root.userId, subOrganizationId: eve.organizationId, head: head as Json }
  await w.done(w.root, 'erase_user', erasure)
  const { findings, counts } = await report(await exported(w.storage.store))
  assert.equal([findings, counts.erased, counts.stampsErased], [[], 1, 1])
  await w.close()
})

it.run()
