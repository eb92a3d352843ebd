import * as t from '../../../core/codec/t.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { activityIdOf, fingerprintOf, resourceIds } from '../../../core/activity/identity.ts'
import { E } from '../../../core/prelude.ts'
import { query } from '../../../core/definition/query.ts'
import { held } from '../../core/command/faulty-store.ts'
import { inTime, quiet } from '../../core/world/under-way.ts'
import { sampled } from '../../long.ts'
import { idsIn as idsByKind, type Ids } from '../../core/resources/leaves.ts'
import type { Json } from '../../../core/failure.ts'
import { answersTo, lively, logOf, type Lively } from './citizens.ts'
import { probesOf, type Probe } from './probes.ts'
import { bytesOf, openTown, sites, type Town } from './town.ts'
import { comparable, idsIn, marksIn } from './words.ts'

const it = suite('isolation of organizations')

const digest = nodeDigest()

/** What one organization has and another one must not learn. */
type Treasure = {
  /** What every probe asks for. */
  readonly ids: ReadonlySet<string>
  /** What else there is: a probe asks for all that its place could name, and for some of the others. */
  readonly more: ReadonlySet<string>
  readonly byKind: Ids
  readonly marks: ReadonlySet<string>
  readonly name: string
}

const treasureOf = async (town: Town, owner: Lively, name: string): Promise<Treasure> => {
  const log = await logOf(town, owner.known.organizationId)
  const answers = await answersTo(town, owner, idsIn(log))
  const byKind: Ids = new Map()
  for (const text of `${log}\n${answers}`.split('\n')) if (text.startsWith('{')) idsByKind(jsonIn(text), byKind)
  const [ids, more] = [owner.story, new Set([...idsIn(log + answers)].filter((id) => !owner.story.has(id)))]
  return { ids, more, byKind, marks: marksIn(log + answers), name }
}

const jsonIn = (text: string): Json => {
  try {
    return JSON.parse(text) as Json // what it gives
  } catch {
    return null // a part, which has more than one text
  }
}

/** How many of the other things a probe asks for; each probe for others. */
const OTHERS = 10

const idsFor = ({ ids, more, byKind }: Treasure, { idKind }: Probe, turn: number): readonly string[] => {
  const step = Math.ceil(more.size / OTHERS)
  const others = [...more].filter((id, index) => byKind.get(idKind)?.has(id) || (index + turn) % step === 0)
  return [...ids, ...others]
}

let requests = 0

const answered = async (town: Town, { root }: Lively, { kind, path, body, name }: Probe, id: string, of: Treasure) => {
  requests += 1
  const nonce = String(requests).padStart(9, '0')
  const times = kind === 'submit' ? { timestampMs: String(town.clock.now()) } : {}
  const request = { ...body(id), organizationId: root.organizationId, nonce, ...times }
  const answer = await (kind === 'submit' ? town.send(root, path, request) : town.ask(root, path, request))
  const told = E.isRight(answer) ? answer.right : answer.left
  const text = JSON.stringify(told)
  for (const mark of marksIn(text)) {
    if (mark !== id) assert.not.ok(of.marks.has(mark), `${name}: the answer says ${mark}, which is of ${of.name}`)
  }
  assert.not.match(text, of.name, name)
  return comparable(told, E.isLeft(answer), id)
}

/** An id of the same form that nothing has. */
const unknownLike = (id: string): string =>
  id.startsWith('sha256:') ? fingerprintOf(digest, nodeIds().bytes(16)) : nodeIds().uuid()

/** Asks for what another organization has: the answer has to be what is said of an id that nothing has. */
const probe = async (town: Town, asking: Lively, of: Treasure, one: Probe, turn: number): Promise<void> => {
  const told = (id: string) => answered(town, asking, one, id, of)
  await told(unknownLike('')) // it may use up a name or a key that has to be unique: from now on all are told the same
  const [uuid, fingerprint] = [await told(unknownLike('')), await told(unknownLike('sha256:'))]
  await Promise.all(
    idsFor(of, one, turn).map(async (id) => {
      const expected = id.startsWith('sha256:') ? fingerprint : uuid
      assert.is(await told(id), expected, `${one.name} tells that an id is one of ${of.name}`)
    }),
  )
}

/** A round asks each second probe on memory and each fourth on SQLite, by turns: of five rounds, each one is in two or three, or in one or two. */
const SHARES: { readonly [site: string]: number } = { 'the memory store': 2, 'the SQLite store': 4 }

const register = sampled<string>(it, 'the memory store')
for (const [name, made] of Object.entries(sites)) {
  let round = 0
  const probeAll = async (town: Town, asking: Lively, of: Treasure): Promise<void> => {
    const share = SHARES[name] ?? 1
    round += 1
    for (const [turn, one] of probesOf(town.engine, asking.known).entries())
      if ((turn + round) % share === 0) await inTime(town.clock, probe(town, asking, of, one, turn), 0)
  }

  register(name, `holds for every request, before and after restarts, in memory or not: ${name}`, async () => {
    const site = await made()
    const first = await openTown(site)
    const [amber, basalt] = [await lively(first, 'amber'), await lively(first, 'basalt')]
    const treasure = await treasureOf(first, amber, 'amber')
    await probeAll(first, basalt, treasure) // just written
    await first.close()

    const second = await openTown(site, first.clock)
    await probeAll(second, basalt, treasure) // not in memory
    assert.ok((await answersTo(second, amber, treasure.ids)).includes('of amber'))
    await probeAll(second, basalt, treasure) // in memory, since its own organization has asked
    const beside = await second.beside()
    await probeAll(beside, basalt, treasure)
    await answersTo(beside, amber, treasure.ids)
    await probeAll(beside, basalt, treasure)
    await beside.close()
    await second.close()
    await site.remove()
  })

  it(`holds while an activity is not durable yet: ${name}`, async () => {
    const site = await made()
    const town = await openTown(site)
    const [amber, basalt] = [await lively(town, 'amber'), await lively(town, 'basalt')]
    const [probes, before] = [probesOf(town.engine, basalt.known), await treasureOf(town, amber, 'amber')]
    const gate = held()
    town.store.plan(gate.fault)
    const [body, type] = [{ userTagName: 'new of amber', userIds: [] }, 'create_user_tag']
    const posted = town.submit(amber.root, type, body)
    await gate.begun

    const fingerprint = fingerprintOf(digest, bytesOf(town, amber.root, type, body))
    const activityId = activityIdOf(digest, amber.known.organizationId, fingerprint)
    const ids = new Set([activityId, fingerprint, resourceIds(digest, activityId)()])
    const of = { ...before, ids, more: new Set<string>(), marks: new Set([...before.marks, ...ids]) }
    let done = 0
    const probing = (kind: Probe['kind']) =>
      Promise.all(
        probes.filter((one) => one.kind === kind).map((one) => probe(town, basalt, of, one, 0).then(() => done++)),
      )
    await inTime(town.clock, probing('query'), 0)
    const submits = probing('submit') // some of them write, and wait for the one that waits
    await quiet()
    assert.ok(done > 0)
    gate.letGo()
    assert.is((await posted).id, activityId)
    await inTime(town.clock, submits, 0)
    await town.close()
    await site.remove()
  })
}

it('finds the places for ids by the codecs, in whatever is added', async () => {
  const town = await openTown(await sites['the memory store']())
  const { known } = await lively(town, 'amber')
  const names = probesOf(town.engine, known).map((one) => one.name)
  for (const expected of [
    'get_activity activityId',
    'get_policy_evaluations activityId',
    'list_activities paginationOptions.before',
    'approve_activity ACTIVITY_TYPE_APPROVE_ACTIVITY fingerprint',
    'create_users ACTIVITY_TYPE_CREATE_USERS_V4 users[].userTags[]',
    'attach_note ACTIVITY_TYPE_ATTACH_NOTE aboutId',
    'get_notice noticeId',
  ])
    assert.ok(names.includes(expected), expected)
  await town.close()
})

it('says so where it cannot make a request that is valid', async () => {
  const town = await openTown(await sites['the memory store']())
  const { known } = await lively(town, 'amber')
  const Impossible = t.refined(t.string, 'what nobody can say', () => false)
  const impossible = query({
    path: 'impossible',
    summary: 'Cannot be asked.',
    request: t.fields({ organizationId: t.string, riddle: Impossible, thingId: t.string }),
    answer: t.fields({}),
    run: () => ({}),
  })
  assert.throws(
    () => probesOf({ ...town.engine, queries: [impossible] }, known),
    /no valid body could be made for impossible .* thingId: .*what nobody can say/,
  )
  await town.close()
})

it.run()
