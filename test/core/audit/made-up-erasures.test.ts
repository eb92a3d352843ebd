import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { REQUEST } from '../../../core/log/parts.ts'
import { personalPart } from '../../../core/log/personal-part.ts'
import { eraseUser } from '../../../core/resources/erasure/erasure.ts'
import { anotherId, decisionOf, draftsOf, forged, must, rebased, type Draft } from './forgery.ts'
import {
  auditedWith,
  completion,
  decided,
  erased,
  isOf,
  listed,
  office,
  partsThere,
  relist,
  takeAway,
  type Office,
} from './erasures-log.ts'
import { codesIn } from './logs.ts'

/* What somebody makes up who has the store: erasures, their lists, and whose data requests and parts had. All hashes fit. */
const it = suite('made-up erasures')

let made: Office
let honest = ''
it.before(async () => {
  made = await office()
  honest = (await erased(made, made.bob.userId)).text
})
it.after(() => made.close())

const drafts = (): Draft[] => draftsOf(honest)
const found = async (all: readonly Draft[]) => codesIn(await auditedWith(forged(all)))

const LIST: readonly (readonly [name: string, change: (all: Draft[]) => void, codes: readonly string[]])[] = [
  ['a part that is still there', (all) => relist(all, also(REQUEST, 1n)), ['ERASURE_DIFFERS']],
  ['a sequence that does not exist', (all) => relist(all, also(REQUEST, 1_000_000n)), ['ERASURE_DIFFERS']],
  [
    'as many sequences as can be',
    (all) => relistText(all, '1-9223372036854775807'),
    ['ERASURE_DIFFERS', 'EXECUTION_DIFFERS'],
  ],
  ['an event that has no such part', (all) => relist(all, also(REQUEST, 2n)), ['ERASURE_DIFFERS']],
  [
    'a request of somebody else, which is missing',
    (all) => {
      takeAway(must(all[0]), REQUEST)
      relist(all, also(REQUEST, 1n))
    },
    ['ERASURE_DIFFERS', 'PART_ERASED'],
  ],
  [
    'the personal part of somebody else, which is missing',
    (all) => {
      const name = personalPart(made.carol.userId)
      const index = all.findIndex(({ event }) => event.parts[name] !== undefined)
      takeAway(must(all[index]), name)
      const list = [{ name, sequences: String(index + 1) }]
      for (const member of ['change', 'performed'])
        (completion(all).event.data[member] as { erased: unknown[] }).erased.push(...list)
      Object.assign(completion(all).event.data.result as object, { erasedParts: listed(all).length })
    },
    ['ERASURE_DIFFERS', 'PART_ERASED'],
  ],
  [
    'its own request',
    (all) => {
      const index = all.findIndex(({ event }) => event.data.type === eraseUser.type)
      takeAway(must(all[index]), REQUEST)
      relist(all, also(REQUEST, BigInt(index + 1)))
    },
    ['ERASURE_DIFFERS', 'PART_ERASED'],
  ],
  ['one place less', (all) => relist(all, (_, sequences) => sequences.slice(1)), ['PART_ERASED']],
  ['nothing', (all) => relist(all, () => []), ['PART_ERASED']],
  ['what nobody can read', (all) => relistText(all, '3,2,x'), ['ERASURE_DIFFERS', 'EXECUTION_DIFFERS', 'PART_ERASED']],
]
const also = (of: string, sequence: bigint) => (name: string, sequences: bigint[]) =>
  name === of ? [...new Set([...sequences, sequence])] : sequences
const relistText = (all: readonly Draft[], sequences: string): void => {
  for (const member of ['change', 'performed']) {
    const { erased: list } = completion(all).event.data[member] as { erased: { name: string; sequences: string }[] }
    must(list.find(({ name }) => name === REQUEST)).sequences = sequences
  }
}
for (const [name, change, codes] of LIST)
  it(`find a list that names ${name}`, async () => {
    const all = drafts()
    change(all)
    const codesFound = await found(all)
    assert.equal(codesFound, codes)
  })

it('find an erasure whose approval is left out', async () => {
  const all = drafts()
  const { activity } = completion(all).event
  const without = all.filter(({ event }) => event.activity !== activity || event.type !== 'ActivityVoted')
  const codes = await found(rebased(without))
  assert.ok(codes.includes('STATUS_IMPOSSIBLE') && codes.includes('PART_ERASED'), codes.join())
  const created = must(without.find(({ event }) => event.activity === activity))
  decisionOf(created).verdict = { outcome: 'ALLOWED', rule: 'root-quorum', evaluations: [] }
  const allowed = await found(rebased(without))
  assert.ok(allowed.includes('DECISION_DIFFERS'), allowed.join())
})

it('find an erasure that nobody asked for, with its own request missing', async () => {
  const all = draftsOf(made.before)
  const own = drafts()
    .slice(all.length)
    .map((draft) => structuredClone(draft))
  for (const { event } of own) event.activity = anotherActivity
  for (const draft of own) for (const name of partsThere(draft)) takeAway(draft, name)
  for (const { name, sequence } of listed(drafts())) takeAway(must(all[Number(sequence) - 1]), name)
  const codes = await found(rebased([...all, ...own]))
  assert.ok(codes.includes('PART_ERASED'), codes.join())
})
const anotherActivity = anotherId()

it('find a request that is said to hold data of somebody else, and one that is said to hold none', async () => {
  const named = (all: readonly Draft[]) => all.filter(({ event }) => event.data.subjects !== undefined)
  for (const [index, change] of [
    [0, (subjects: unknown[]) => [...subjects, made.bob.userId]],
    [1, () => [made.bob.userId]],
    [2, () => undefined],
    [2, () => []],
  ] as const) {
    const all = draftsOf(made.before)
    const { event } = must(named(all)[index])
    const subjects = change(event.data.subjects as string[])
    if (subjects === undefined) delete event.data.subjects
    else event.data.subjects = subjects as string[]
    assert.equal(await found(all), ['REQUEST_DIFFERS'])
  }
})

it('find an erased request of an operation whose requests hold data of nobody', async () => {
  const all = drafts()
  const index = all.findIndex(isOf('CREATE_POLICY'))
  const draft = must(all[index])
  draft.event.data.subjects = [made.bob.userId]
  takeAway(draft, REQUEST)
  relist(all, also(REQUEST, BigInt(index + 1)))
  assert.ok((await found(all)).includes('REQUEST_DIFFERS'))
})

it('find data of a user that came after the deletion', async () => {
  const all = draftsOf(made.before)
  const update = all.filter(({ event }) => event.data.type === 'ACTIVITY_TYPE_UPDATE_USER' && event.revision === '1')
  const late = structuredClone(must(update.find(({ event }) => JSON.stringify(event).includes(made.bob.userId))))
  late.event.id = anotherId()
  late.event.activity = anotherActivity
  late.event.at = must(all.at(-1)).event.at
  decisionOf(late).basis.at = late.event.at
  assert.match(
    (await auditedWith(forged(rebased([...all, late])))).findings.map(({ message }) => message).join('\n'),
    'of a user who was deleted before',
  )
})

it('find an address in a part that says more, or of somebody else, or of nobody', async () => {
  const text = new TextEncoder()
  for (const [change, codes] of [
    [
      (draft: Draft) => (must(draft.others?.[0]).bytes = text.encode('{"address":"192.0.2.7","name":"Bob"}')),
      ['BASIS_DIFFERS'],
    ],
    [(draft: Draft) => (must(draft.others?.[0]).bytes = text.encode('{"change":[]}')), ['BASIS_DIFFERS']],
    [
      (draft: Draft) => (must(draft.others?.[0]).name = personalPart(made.ada.userId)),
      ['BASIS_DIFFERS', 'PART_MISPLACED'],
    ],
    [(draft: Draft) => void (draft.others = []), ['BASIS_DIFFERS']],
    [(draft: Draft) => (decisionOf(draft).basis = { ...inOrder(decisionOf(draft).basis) }), ['BASIS_DIFFERS']],
  ] as const) {
    const all = draftsOf(made.before)
    const draft = must(decided(all).find(({ others = [] }) => others.length > 0))
    change(draft)
    assert.equal(await found(all), codes)
  }
})

/** A basis that says in the line that there was no address. */
const inOrder = (basis: ReturnType<typeof decisionOf>['basis']): typeof basis => {
  const { factors, ...rest } = basis
  const { rules, generation, read, at, credential, scheme, ...more } = rest
  return { rules, generation, read, at, credential, scheme, address: null, factors, ...more } as typeof basis
}

it('find a second erasure of a user whose data is erased already', async () => {
  const all = drafts()
  const second = all.slice(draftsOf(made.before).length).map((draft) => structuredClone(draft))
  for (const draft of second) [draft.event.activity, draft.event.id] = [anotherActivity, anotherId()]
  const codes = await found(rebased([...all, ...second]))
  assert.ok(codes.includes('EXECUTION_DIFFERS'), codes.join())
})

it('find two erasures that are made up to erase the requests of each other', async () => {
  const before = draftsOf(made.before)
  const pattern = drafts().slice(before.length)
  /** Somebody with the store makes one up: it erases all requests that a user made. */
  const madeUp = (requester: string, userId: string): Draft[] => {
    const activity = anotherId()
    return structuredClone(pattern).map((draft) => {
      Object.assign(draft.event, { activity, id: anotherId() })
      if (draft.event.data.requester !== undefined) draft.event.data.requester = requester
      if (draft.event.data.user !== undefined) draft.event.data.user = requester
      for (const name of partsThere(draft)) takeAway(draft, name)
      if (draft.event.type !== 'ActivityCompleted') return draft
      const list = { erased: [] }
      const result = { userId, erasedParts: 0 }
      Object.assign(draft.event.data, { change: { userId, requests: 'MADE', ...list }, result, performed: list })
      return draft
    })
  }
  const [ada, grace] = [made.ada.userId, made.grace.userId]
  const [one, other] = [madeUp(ada, grace), madeUp(grace, ada)]
  const sequenceOf = (index: number): string => String(before.length + index + 1)
  const name = (draft: Draft | undefined, ...indexes: readonly number[]): void => {
    const entries = [{ name: REQUEST, sequences: indexes.map(sequenceOf).join('-') }]
    for (const member of ['change', 'performed'])
      Object.assign(must(draft).event.data[member] as object, { erased: entries })
    Object.assign(must(draft).event.data.result as object, { erasedParts: indexes.length })
  }
  // The decisions of both come first, then their ends: so each can name the requests of the other.
  const all = [...before, ...one.slice(0, 3), ...other.slice(0, 3), ...one.slice(3), ...other.slice(3)]
  name(one[3], 3, 4)
  name(other[3], 0, 1)
  const { findings } = await auditedWith(forged(rebased(all)))
  assert.equal(
    findings
      .filter(({ code }) => code === 'PART_ERASED' || code === 'ERASURE_DIFFERS')
      .map(({ sequence, code }) => [sequenceIn(sequence), code]),
    [0, 1, 3, 4].map((index) => [sequenceOf(index), 'PART_ERASED']),
  )
})
const sequenceIn = (sequence: bigint | undefined): string => String(sequence)

it.run()
