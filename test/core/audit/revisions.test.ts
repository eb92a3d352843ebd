import * as t from '../../../core/codec/t.ts'
import { hostState, withHost } from '../world/with-host.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { AuditOptions } from '../../../core/audit/report.ts'
import { operation } from '../../../core/definition/operation.ts'
import type { Json } from '../../../core/failure.ts'
import type { FindingCode } from '../../../core/log/finding.ts'
import { E } from '../../../core/prelude.ts'
import type { ActivityView } from '../../../core/view/activity-view.ts'
import { right, stamped, type Person } from '../world/world.ts'
import { secondProcess } from '../command/second-process.ts'
import { decisionOf, draftsOf, forged, must, rebased, type Draft } from './forgery.ts'
import { audited, codesIn, exported, trio, type Trio } from './logs.ts'

/* What an event says of the revision of its operation and of limits: whoever writes a log may say what they like. */
const it = suite('revisions and limits of a log')

const TYPE = 'ACTIVITY_TYPE_NOTE'
/** Notes a text. The first revision is not known any more; the second noted it as it was. */
const note = operation({
  type: TYPE,
  path: 'note',
  summary: 'Notes.',
  intent: t.fields({ text: t.string }),
  result: t.fields({}),
  change: t.fields({ text: t.string }),
  revision: 3,
  execute: ({ text }) => ({ result: {}, change: { text: `3: ${text}` } }),
  evolve: (draft, { text }) => void hostState.in(draft).set('note', text),
  earlier: { 2: { execute: ({ text }) => ({ result: {}, change: { text: `2: ${text}` } }) } },
})
const second = operation({
  type: TYPE,
  path: 'note',
  summary: 'Notes.',
  intent: t.fields({ text: t.string }),
  result: t.fields({}),
  change: t.fields({ text: t.string }),
  revision: 2,
  execute: ({ text }) => ({ result: {}, change: { text: `2: ${text}` } }),
  evolve: (draft, { text }) => void hostState.in(draft).set('note', text),
})

let made: Trio
let honest = ''
it.before(async () => {
  made = await trio({ resources: withHost([second]) })
  const { approve, done, grace, root } = made
  right(await approve(grace, await done(root, 'note', { text: 'one' })))
  const waiting = await done(root, 'note', { text: 'two' })
  await done(root, 'create_user_tag', { userTagName: 'waits', userIds: [] })
  right(await approve(grace, await done(root, 'create_user_tag', { userTagName: 'tag', userIds: [] })))
  const later = await secondProcess(made, { resources: withHost([note]) })
  const send = async (person: Person, path: string, parameters: Json): Promise<ActivityView> =>
    right(await later.submit(path, stamped(person, made.body(path, parameters)))())
  await send(grace, 'approve_activity', { fingerprint: waiting.fingerprint })
  const { fingerprint } = await send(root, 'note', { text: 'three' })
  await send(grace, 'approve_activity', { fingerprint })
  honest = await exported(made.storage.store)
})
it.after(() => made.close()) // and the storage of all processes

const found = async (change: (drafts: Draft[]) => unknown, options: AuditOptions = {}) => {
  const drafts = draftsOf(honest)
  change(drafts)
  return audited(forged(rebased(drafts)), options, [note])
}

/** Whatever an event says of its revision and its limits. */
const saidIn = ({ event }: Draft): { [member: string]: Json } =>
  event.data.decision === undefined ? event.data : decisionOf({ event, request: undefined }).basis

/** The events of the nth note, from 1. */
const noteOf = (drafts: readonly Draft[], nth: number): readonly Draft[] => {
  const created = must(
    drafts.filter(({ event }) => event.type === 'ActivityCreated' && event.data.type === TYPE)[nth - 1],
  )
  return drafts.filter(({ event }) => event.activity === created.event.activity)
}
const notes = (drafts: readonly Draft[]): readonly Draft[] => [1, 2, 3].flatMap((nth) => noteOf(drafts, nth))
const tagged = (drafts: readonly Draft[]): Draft =>
  must(
    drafts.find(
      ({ event }) => event.type === 'ActivityCompleted' && event.data.type === 'ACTIVITY_TYPE_CREATE_USER_TAG',
    ),
  )
const waits = (drafts: readonly Draft[]): Draft => must(drafts.find(({ request }) => request?.body.includes('"waits"')))

const decided = (drafts: readonly Draft[]): readonly Draft[] =>
  drafts.filter(({ event }) => event.data.decision !== undefined)

/** As if the log had begun before the second revision of the note. */
const inFirstGeneration = (drafts: readonly Draft[]): void => {
  for (const { basis } of decided(drafts).map(decisionOf)) if (basis.generation === 2) basis.generation = 1
}

it('judge an activity that was asked for by one revision and allowed by the next by both', async () => {
  const { counts, findings } = await found(() => undefined)
  assert.equal([findings, counts.believed], [[], 0])
  assert.equal(
    notes(draftsOf(honest)).map((draft) => saidIn(draft).revision),
    [2, 2, 2, 2, 3, 3, 3, 3, 3],
  )
})

const forgeries: readonly (readonly [name: string, change: (drafts: Draft[]) => unknown, code: FindingCode])[] = [
  [
    'a revision that goes back',
    (drafts) => noteOf(drafts, 3).map((draft) => (saidIn(draft).revision = 2)),
    'BASIS_DIFFERS',
  ],
  ['an event that names none', (drafts) => delete saidIn(must(drafts.at(-1))).revision, 'LINE_UNREADABLE'],
  [
    'a revision that is newer than any',
    (drafts) => notes(drafts).map((draft) => (saidIn(draft).revision = 4)),
    'REVISION_UNKNOWN',
  ],
  [
    'another revision within a commit',
    (drafts) => (saidIn(must(noteOf(drafts, 1).at(-1))).revision = 3),
    'BASIS_DIFFERS',
  ],
  [
    'an older revision that came out otherwise',
    (drafts) => (saidIn(must(noteOf(drafts, 3).at(-1))).revision = 2),
    'EXECUTION_DIFFERS',
  ],
  ...([0, -1, 1.5, 1e21, '3', null, [3]] as const).map(
    (revision) =>
      [
        `the revision ${JSON.stringify(revision)}`,
        (drafts: Draft[]) => (saidIn(must(drafts.at(-1))).revision = revision as Json),
        'LINE_UNREADABLE',
      ] as const,
  ),
  ['a limit that was not in force', (drafts) => (saidIn(tagged(drafts)).limits = { userTags: 101 }), 'BASIS_DIFFERS'],
  [
    'a limit that was not read',
    (drafts) => (saidIn(tagged(drafts)).limits = { userTags: 100, users: 100 }),
    'EXECUTION_DIFFERS',
  ],
  ['a limit that was read and is not named', (drafts) => delete saidIn(tagged(drafts)).limits, 'EXECUTION_DIFFERS'],
  ['no limits, in so many words', (drafts) => (saidIn(must(drafts.at(-1))).limits = {}), 'EXECUTION_DIFFERS'],
  [
    'a limit that nobody knows',
    (drafts) => (saidIn(tagged(drafts)).limits = { userTags: 100, wallets: 5 }),
    'BASIS_DIFFERS',
  ],
  [
    'a limit that is called like the prototype of objects',
    (drafts) =>
      (saidIn(tagged(drafts)).limits = Object.fromEntries([
        ['__proto__', 5],
        ['userTags', 100],
      ])),
    'BASIS_DIFFERS',
  ],
  [
    'limits in another order',
    (drafts) => (saidIn(tagged(drafts)).limits = { userTags: 100, policies: 100 }),
    'BASIS_DIFFERS',
  ],
  ['a limit that is no number', (drafts) => (saidIn(tagged(drafts)).limits = { userTags: '100' }), 'LINE_UNREADABLE'],
  [
    'a limit of a decision that was not read for it',
    (drafts) => (saidIn(waits(drafts)).limits = { users: 100 }),
    'EXECUTION_DIFFERS',
  ],
  [
    'limits of a decision that something follows',
    (drafts) => {
      const { basis } = decisionOf(must(drafts[drafts.indexOf(tagged(drafts)) - 1]))
      basis.limits = { userTags: 100 }
    },
    'BASIS_DIFFERS',
  ],
  [
    'a generation of the catalogue that goes back',
    (drafts) => (decisionOf(must(noteOf(drafts, 3)[0])).basis.generation = 2),
    'BASIS_DIFFERS',
  ],
  [
    'a generation that is newer than any',
    (drafts) => decided(drafts).map((draft) => (decisionOf(draft).basis.generation = 4)),
    'REVISION_UNKNOWN',
  ],
  [
    'a revision that was gone in the first generation of the log',
    (drafts) => noteOf(drafts, 1).map((draft) => (saidIn(draft).revision = 1)),
    'BASIS_DIFFERS',
  ],
  ['no generation', (drafts) => delete decisionOf(must(noteOf(drafts, 3)[0])).basis.generation, 'LINE_UNREADABLE'],
]

it('find an older revision at the first use of its operation: the genesis names the generation of the catalogue', async () => {
  const today = await trio({ resources: withHost([note]) })
  right(await today.approve(today.grace, await today.done(today.root, 'note', { text: 'one' })))
  const drafts = draftsOf(await exported(today.storage.store))
  await today.close()
  assert.equal((await audited(forged(rebased(drafts)), {}, [note])).findings, [])
  for (const draft of noteOf(drafts, 1)) saidIn(draft).revision = 2
  const { data } = must(noteOf(drafts, 1).at(-1)).event
  data['change'] = { text: '2: one' }
  assert.equal(codesIn(await audited(forged(rebased(drafts)), {}, [note])), ['BASIS_DIFFERS'])
})

for (const [name, change, code] of forgeries)
  it(`are looked at: ${name} is found`, async () => {
    const codes = codesIn(await found(change))
    assert.ok(codes.includes(code), `expected ${code} among ${codes.join() || 'no findings'}`)
  })

it('are believed where nobody knows the revision any more, and counted, unless the auditor says how many there may be', async () => {
  const forget = (drafts: Draft[]) => {
    inFirstGeneration(drafts)
    for (const draft of noteOf(drafts, 1)) saidIn(draft).revision = 1
  }
  const { counts, findings } = await found(forget)
  assert.equal([findings, counts.believed], [[], 3])
  assert.equal((await found(forget, { believedMax: 3 })).findings, [])
  assert.equal(codesIn(await found(forget, { believedMax: 2 })), ['REVISION_UNKNOWN'])
})

it('close an organization to a process that has an older one: it would change the state in a way that nobody knows', async () => {
  const older = await secondProcess(made, { resources: withHost([second]) })
  const answer = await older.submit('note', stamped(made.root, made.body('note', { text: 'four' })))()
  assert.ok(E.isLeft(answer))
  assert.is(answer.left.code, 'ORGANIZATION_CLOSED')
  assert.match(answer.left.message, 'a program with newer revisions of operations has decided in this organization')
})

it('do not let an activity that is believed skip a step', async () => {
  const codes = codesIn(
    await found((drafts) => {
      inFirstGeneration(drafts)
      for (const draft of noteOf(drafts, 1)) saidIn(draft).revision = 1
      drafts.splice(drafts.indexOf(must(noteOf(drafts, 1).at(-1))), 1)
    }),
  )
  assert.equal(codes, ['STATUS_IMPOSSIBLE'])
})

it.run()
