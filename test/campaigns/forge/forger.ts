import type { Json } from '../../../core/failure.ts'
import { eventVersions } from '../../../core/log/event.ts'
import { copied, decisionOf, rebased, renamed, type Draft } from '../../core/audit/forgery.ts'
import { eraseUser } from '../../../core/resources/erasure/erase-user.ts'
import { partsThere, relist, takeAway } from '../../core/audit/erasures-log.ts'
import type { Random } from '../simulate/random.ts'
import { date, forward, inOrderOfTime } from './dating.ts'

/** What a forger did to a log, and the log that came of it; its hashes are not made yet. */
export type Forgery = { readonly done: readonly string[]; readonly drafts: readonly Draft[] }

/**
 * Changes a log as somebody can who has all of the store, but no key: copies, moves, deletes, reorders and dates events
 * otherwise, one to three times, and then makes it fit as well as can be.
 */
export const forge = (random: Random, honest: readonly Draft[]): Forgery => {
  const done: string[] = []
  let drafts: readonly Draft[] = structuredClone(honest)
  for (let times = 1 + random.below(3); times > 0; times -= 1) {
    const name = random.pick(changeNames)
    const changed = changes[name](random, drafts)
    if (changed.length < 2) continue
    drafts = changed
    done.push(name)
  }
  if (random.chance(0.85)) {
    const name = random.chance(0.5) ? 'in order of time' : 'no time goes back'
    drafts = name === 'in order of time' ? inOrderOfTime(drafts) : forward(drafts)
    done.push(name)
  }
  return { done, drafts: random.chance(0.9) ? renamed(rebased(drafts)) : drafts }
}

type Change = (random: Random, drafts: readonly Draft[]) => readonly Draft[]

const changes = {
  copies: (random, drafts) => {
    const [from, to] = range(random, drafts)
    return drafts.toSpliced(random.below(drafts.length + 1), 0, ...drafts.slice(from, to).map(copied))
  },
  moves: (random, drafts) => {
    const [from, to] = range(random, drafts)
    const rest = drafts.toSpliced(from, to - from)
    return rest.toSpliced(random.below(rest.length + 1), 0, ...drafts.slice(from, to))
  },
  'copies an activity': (random, drafts) => {
    const all = activityOf(random, drafts).map(copied)
    return drafts.toSpliced(random.below(drafts.length + 1), 0, ...all)
  },
  'moves an activity': (random, drafts) => {
    const all = activityOf(random, drafts)
    const rest = drafts.filter((draft) => !all.includes(draft))
    return rest.toSpliced(random.below(rest.length + 1), 0, ...all)
  },
  deletes: (random, drafts) => {
    const [from, to] = range(random, drafts)
    return drafts.toSpliced(from, to - from)
  },
  'deletes an activity': (random, drafts) => {
    const all = activityOf(random, drafts)
    return drafts.filter((draft) => !all.includes(draft))
  },
  'cuts the end off': (random, drafts) => drafts.slice(0, -1 - random.below(Math.min(8, drafts.length))),
  swaps: (random, drafts) => {
    const [one, other] = [random.below(drafts.length), random.below(drafts.length)]
    const [a, b] = [drafts[one], drafts[other]]
    return a === undefined || b === undefined ? drafts : drafts.with(one, b).with(other, a)
  },
  'swaps neighbours': (random, drafts) => {
    const at = random.below(drafts.length - 1)
    const [a, b] = [drafts[at], drafts[at + 1]]
    return a === undefined || b === undefined ? drafts : drafts.with(at, b).with(at + 1, a)
  },
  reverses: (random, drafts) => {
    const [from, to] = range(random, drafts)
    return drafts.toSpliced(from, to - from, ...drafts.slice(from, to).toReversed())
  },
  dates: (random, drafts) => {
    const [from, to] = range(random, drafts)
    const byMs = random.pick([-1, 1]) * random.pick([1, 60_000, 3_600_000, 86_400_000, 30 * 86_400_000])
    for (const { event } of drafts.slice(from, to)) date(event, Date.parse(event.at) + byMs)
    return drafts
  },
  'dates as another': (random, drafts) => {
    const { event } = random.pick(drafts)
    date(event, Date.parse(random.pick(drafts).event.at))
    return drafts
  },
  'denies that a clock was behind': (random, drafts) => {
    const decided = drafts.filter(({ event }) => event.data.decision !== undefined)
    const { basis } = decisionOf(random.pick(decided))
    delete basis.clock
    return drafts
  },
  'says that a clock was behind': (random, drafts) => {
    const decided = drafts.filter(({ event }) => event.data.decision !== undefined)
    const draft = random.pick(decided)
    const earlier = new Date(Date.parse(draft.event.at) - random.pick([1, 60_000, 86_400_000])).toISOString()
    decisionOf(draft).basis.clock = earlier
    return drafts
  },
  'moves into another organization': (random, drafts) => {
    const [from, to] = range(random, drafts)
    const { organization } = random.pick(drafts).event
    for (const { event } of drafts.slice(from, to)) event.organization = organization
    return drafts
  },
  'puts the request of another': (random, drafts) => {
    const [one, other] = [random.pick(drafts), random.pick(drafts)]
    if (other.request !== undefined && one.request !== undefined) one.request = other.request
    return drafts
  },
  'puts the stamp of another': (random, drafts) => {
    const stamps = drafts.filter(({ request }) => request !== undefined)
    const [one, other] = [random.pick(stamps), random.pick(stamps)]
    if (one.request !== undefined && other.request !== undefined) one.request.head = { ...other.request.head }
    return drafts
  },
  'puts a member of the stamp of another': (random, drafts) => {
    const stamps = drafts.filter(({ request }) => request?.head.header === 'X-Stamp-WebAuthn')
    if (stamps.length === 0) return drafts
    const [one, other] = [random.pick(stamps).request, random.pick(stamps).request]
    if (one === undefined || other === undefined) return drafts
    const [own, others] = [one, other].map(({ head }) => JSON.parse(head.stamp) as { [member: string]: string }) // our own
    const member = random.pick(['authenticatorData', 'clientDataJson', 'credentialId', 'signature'])
    const value = random.chance(0.5) ? others?.[member] : oneBitOff(random, own?.[member] ?? '')
    one.head = { ...one.head, stamp: JSON.stringify({ ...own, [member]: value ?? '' }) }
    return drafts
  },
  'puts what another says': (random, drafts) => {
    const one = random.pick(drafts)
    const other = random.pick(drafts.filter(({ event }) => event.type === one.event.type))
    const member = random.pick(Object.keys(one.event.data))
    const value = other.event.data[member]
    if (value !== undefined) one.event.data[member] = structuredClone(value)
    return drafts
  },
  'puts what another was decided on': (random, drafts) => {
    const decided = drafts.filter(({ event }) => event.data.decision !== undefined)
    const [one, other] = [decisionOf(random.pick(decided)), decisionOf(random.pick(decided))]
    const half = random.pick(['basis', 'verdict'] as const)
    const member = random.pick(Object.keys(one[half]).filter((name) => name !== 'address'))
    const value = other[half][member]
    if (value === undefined) delete one[half][member]
    else one[half][member] = structuredClone(value)
    return drafts
  },
  'names another revision': (random, drafts) => {
    const said = saidIn(random.pick(drafts))
    const revision = random.pick<Json>([0, 1, 2, 1.5, 1e21, '1', null])
    if (revision === null) delete said.revision
    else said.revision = revision
    return drafts
  },
  'names other limits': (random, drafts) => {
    const said = saidIn(random.pick(drafts))
    const limits = random.pick<Json>([{ users: 100 }, { userTags: 99 }, { wallets: 1 }, {}, null])
    if (limits === null) delete said.limits
    else said.limits = limits
    return drafts
  },
  'takes a part away': (random, drafts) => {
    const draft = random.pick(drafts.filter((one) => partsThere(one).length > 0))
    takeAway(draft, random.pick(partsThere(draft)))
    return drafts
  },
  'names other data of users': (random, drafts) => {
    const decided = drafts.filter(({ event }) => event.data.decision !== undefined)
    const [one, other] = [random.pick(decided), random.pick(decided)]
    if (other.event.data.subjects === undefined) delete one.event.data.subjects
    else one.event.data.subjects = structuredClone(other.event.data.subjects)
    return drafts
  },
  'erases a request, and adds it to the list of an erasure': (random, drafts) => {
    const draft = random.pick(drafts.filter(({ request }) => request !== undefined))
    const ends = drafts.filter(({ event }) => event.data.type === eraseUser.type && event.type === 'ActivityCompleted')
    if (ends.length === 0) return drafts
    takeAway(draft, 'request')
    const isOfLog = ({ event }: Draft): boolean => event.organization === draft.event.organization
    const sequence = BigInt(drafts.filter(isOfLog).indexOf(draft) + 1)
    const end = random.pick(ends)
    relist([end], (name, sequences) => (name === 'request' ? [...sequences, sequence] : sequences))
    const { userId } = end.event.data.change as { readonly userId: string } // our own log
    if (random.chance(0.7)) draft.event.data.subjects = [userId]
    return drafts
  },
  'changes the list of an erasure': (random, drafts) => {
    const ends = drafts.filter(({ event }) => event.data.type === eraseUser.type && event.type === 'ActivityCompleted')
    if (ends.length === 0) return drafts
    relist([random.pick(ends)], (_, sequences) =>
      random.chance(0.5) ? sequences.slice(1) : [...sequences, BigInt(1 + random.below(drafts.length))],
    )
    return drafts
  },
  'keeps an activity young by a clock that was behind': (random, drafts) => {
    const all = activityOf(random, drafts)
    const rest = drafts.filter((draft) => !all.includes(draft))
    const at = random.below(rest.length + 1)
    const lastMs = Date.parse(rest[at - 1]?.event.at ?? all[0]?.event.at ?? '')
    for (const draft of all) {
      const clock = draft.event.at
      date(draft.event, lastMs)
      if (draft.event.data.decision !== undefined && Date.parse(clock) < lastMs)
        sayClock(decisionOf(draft).basis, clock)
    }
    return rest.toSpliced(at, 0, ...all)
  },
  'concludes an erased request otherwise': (random, drafts) => {
    const gone = new Set(
      drafts.filter(({ erased }) => erased?.['request'] !== undefined).map(({ event }) => event.activity),
    )
    const ends = drafts.filter(({ event }) => event.type === 'ActivityCompleted')
    const erased = ends.filter(({ event }) => gone.has(event.activity))
    if (erased.length === 0) return drafts
    const one = random.pick(erased)
    const alike = ends.filter(({ event }) => event.data.type === one.event.data.type)
    const others = random.chance(0.7) ? alike : ends
    Object.assign(one.event.data, structuredClone(random.pick(others).event.data))
    return drafts
  },
  'decides otherwise about an erased reader': (random, drafts) => {
    const isErased = ({ erased = {} }: Draft): boolean => Object.keys(erased).length > 0
    const first = drafts.findIndex(isErased)
    const decided = drafts.slice(first < 0 ? 0 : first).filter(({ event }) => event.data.decision !== undefined)
    if (decided.length === 0) return drafts
    const { verdict } = decisionOf(random.pick(decided))
    Object.assign(verdict, { outcome: random.pick(['ALLOWED', 'CONSENSUS_NEEDED', 'DENIED']), rule: 'policies' })
    return drafts
  },
  'puts another activity': (random, drafts) => {
    const [one, other] = [random.pick(drafts), random.pick(drafts)]
    one.event.activity = other.event.activity
    return drafts
  },
  'begins an organization with another activity': (random, drafts) => {
    const begun = drafts.filter(({ event }) => event.data.decision !== undefined && event.sequence === '1')
    if (begun.length === 0) return drafts
    const [one, other] = [random.pick(begun).event, random.pick(drafts).event]
    const member = random.pick(['fingerprint', 'requester'])
    if (other.data[member] !== undefined) one.data[member] = other.data[member]
    return drafts
  },
  'says otherwise what a start begins': (random, drafts) => {
    const starts = drafts.filter(({ event }) => event.type === 'ActivityStarted')
    if (starts.length === 0) return drafts
    const { data } = random.pick(starts).event
    if (data.begins === true) delete data.begins
    else data.begins = true
    return drafts
  },
  'another event of another kind': (random, drafts) => {
    const draft = random.pick(drafts.filter(({ request }) => request === undefined))
    const { event } = draft
    const failure: Json = { code: random.pick(['UNAVAILABLE', 'CONFLICT', 'INTERRUPTED']), message: 'so it is' }
    event.type = 'ActivityFailed'
    event.version = eventVersions.ActivityFailed
    event.data = { failure }
    delete draft.others
    return drafts
  },
} satisfies { readonly [name: string]: Change }

type ChangeName = keyof typeof changes
const changeNames = Object.keys(changes) as readonly ChangeName[] // its own names

/** Members of a basis have one order: the clock is the last. */
const sayClock = (basis: { [member: string]: Json }, clock: Json): void => {
  delete basis.clock
  basis.clock = clock
}

const range = (random: Random, { length }: readonly Draft[]): readonly [from: number, to: number] => {
  const from = random.below(length)
  return [from, Math.min(length, from + 1 + random.below(random.chance(0.7) ? 4 : 20))]
}

/** What an event says of its revision and its limits. */
const saidIn = (draft: Draft): { [member: string]: Json } =>
  draft.event.data.decision === undefined ? draft.event.data : decisionOf(draft).basis

const oneBitOff = (random: Random, text: string): string => {
  const bytes = Buffer.from(text, 'base64url')
  const at = random.below(bytes.length)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8))
  return bytes.toString('base64url')
}

const activityOf = (random: Random, drafts: readonly Draft[]): readonly Draft[] => {
  const { activity } = random.pick(drafts).event
  return drafts.filter(({ event }) => event.activity === activity)
}
