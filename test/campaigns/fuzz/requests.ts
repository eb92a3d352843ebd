import { stamper, generateKey } from '../../../adapters/signatures/signer.ts'
import { startChild, type Child } from '../bench/child.ts'
import { encode, renaming, type Seed } from '../bench/seed.ts'
import { say } from '../../adapters/http/transport.ts'
import { caller, postOf, type Caller } from '../load/caller.ts'
import type { Town } from '../load/town.ts'
import { random as randomOf, type Random } from '../simulate/random.ts'
import type { Json } from '../../../core/failure.ts'
import { requestsOf, wireDoor } from '../../core/resources/scene.ts'
import { publicOperations, publicQueries } from '../../core/world/with-host.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { faultsOf, isAccepted, type Reply } from './replies.ts'
import { idKindOf, type IdKind } from './routes.ts'
import { kinds, type Aim, type Kind, type Shot } from './shots.ts'

export type FuzzOptions = {
  readonly requests: number
  readonly seed: number
  readonly onProgress?: (sent: number) => void
}

/** What became of one kind of rubbish. */
export type Tally = { sent: number; accepted: number; refused: number; unanswered: number }

export type FuzzReport = {
  readonly tallies: ReadonlyMap<string, Tally>
  /** Every promise that was broken, with the request that shows it. */
  readonly faults: readonly string[]
  readonly events: number
  readonly rssBytes: number
}

const BATCH = 64
const CALLERS = 8
/** Batches that one organization has to bear; then there is another, whose limits are not reached. */
const BATCHES_PER_ORGANIZATION = 8

/**
 * Sends rubbish to a server in a process of its own, batch by batch, one kind at a time. After each batch it looks how
 * many events the store holds, and a client who means well asks and submits.
 */
export const fuzz = async ({ requests, seed, onProgress }: FuzzOptions): Promise<FuzzReport> => {
  const folder = await temporaryFolder()
  const child = startChild(new URL('../load/server-program.ts', import.meta.url))
  try {
    const url = await child.ask<string>('start', { path: `${folder.path}/rubbish.db` })
    const range = await rangeOf(child, url, seed)
    for (let batch = 0; batch * BATCH < requests; batch += 1) {
      await fire(range, batch, Math.min(BATCH, requests - batch * BATCH))
      onProgress?.(Math.min(requests, (batch + 1) * BATCH))
    }
    range.close()
    const [events, rssBytes] = await Promise.all([child.ask<number>('events'), child.ask<number>('rssBytes')])
    return { tallies: range.tallies, faults: range.faults, events, rssBytes }
  } finally {
    await child.close()
    await folder.remove()
  }
}

type Range = {
  readonly url: string
  readonly child: Child
  readonly seed: number
  readonly kinds: readonly Kind[]
  readonly tallies: Map<string, Tally>
  readonly faults: string[]
  readonly callers: readonly Caller[]
  readonly publicKeys: readonly string[]
  /** Does what an honest client does; says what went wrong. */
  readonly goodDeed: (n: number) => Promise<string | undefined>
  target: Target | undefined
  readonly close: () => void
}

/** An organization that bears the rubbish, and what its answers have told. */
type Target = Town & {
  readonly rootId: string
  readonly ids: Readonly<Record<IdKind, Set<string>>>
  readonly fingerprints: Set<string>
  readonly examples: ReadonlyMap<string, Json>
}

const rangeOf = async (child: Child, url: string, seed: number): Promise<Range> => {
  const [good] = await child.ask<readonly Seed[]>('begin', { organizations: 1 })
  if (good === undefined) throw new Error('no organization was begun')
  const callers = Array.from({ length: CALLERS }, () => caller(url))
  const client = caller(url)
  return {
    url,
    child,
    seed,
    kinds: kinds(),
    tallies: new Map(),
    faults: [],
    callers,
    publicKeys: Array.from({ length: 40 }, () => generateKey('API_KEY_CURVE_P256').publicKey),
    goodDeed: goodDeeds(client, good),
    target: undefined,
    close: () => {
      for (const each of [...callers, client]) each.close()
    },
  }
}

const goodDeeds = (client: Caller, seed: Seed): Range['goodDeed'] => {
  const stamp = stamper(seed.key)
  const question = encode({ organizationId: seed.organizationId })
  return async (n) => {
    const body = renaming(seed, String(n))
    const submitted = await client.ask(postOf('/public/v1/submit/update_user_tag', body, [`X-Stamp: ${stamp(body)}`]))
    const asked = await client.ask(postOf('/public/v1/query/whoami', question, [`X-Stamp: ${stamp(question)}`]))
    const isDone = submitted?.status === 200 && submitted.body.includes('ACTIVITY_STATUS_COMPLETED')
    if (isDone && asked?.status === 200) return undefined
    return `a good request got ${submitted?.status}, a good question ${asked?.status}`
  }
}

const fire = async (range: Range, batch: number, count: number): Promise<void> => {
  const kind = range.kinds[batch % range.kinds.length]
  if (kind === undefined) throw new Error('there is no rubbish')
  const random = randomOf(range.seed * 1_000_003 + batch)
  if (batch % BATCHES_PER_ORGANIZATION === 0 || range.target === undefined) range.target = await newTarget(range)
  const aim = aimAt(range, range.target, random)
  const shots = Array.from({ length: count }, () => kind.shoot(aim))
  const where = `seed ${range.seed}, batch ${batch}, ${kind.name}`
  const tally = range.tallies.get(kind.name) ?? { sent: 0, accepted: 0, refused: 0, unanswered: 0 }
  range.tallies.set(kind.name, tally)

  const before = await range.child.ask<number>('events')
  const accepted = await volley(range, shots, tally, where)
  const added = (await range.child.ask<number>('events')) - before
  // What is accepted, or denied for good, leaves two events at most: that it was asked, and what became of it.
  if (added > 2 * accepted) range.faults.push(`${where}: ${added} events for ${accepted} requests that were accepted`)
  const fault = await range.goodDeed(batch)
  if (fault !== undefined) range.faults.push(`${where}: ${fault}`)
}

/** @returns how many of them may have left events */
const volley = async (range: Range, shots: readonly Shot[], tally: Tally, where: string): Promise<number> => {
  let [next, accepted] = [0, 0]
  const one = async (by: Caller): Promise<void> => {
    for (let shot = shots[next++]; shot !== undefined; shot = shots[next++]) {
      const replies = shot.isBroken ? await shout(range.url, shot) : await ask(by, shot)
      tally.sent += 1
      for (const fault of faultsOf(shot, replies)) range.faults.push(`${where}: ${fault}\n${shown(shot)}`)
      const taken = replies.filter(isAccepted)
      accepted += taken.length
      if (replies.length === 0) tally.unanswered += 1
      else if (taken.length > 0) tally.accepted += 1
      else tally.refused += 1
      if (range.target !== undefined) for (const { body } of taken) learn(range.target, body)
    }
  }
  await Promise.all(range.callers.map(one))
  return accepted
}

const ask = async (by: Caller, { bytes }: Shot): Promise<readonly Reply[]> => {
  const answer = await by.ask(bytes)
  return answer === undefined ? [] : [{ ...answer, isJson: /\r\ncontent-type: application\/json\b/i.test(answer.head) }]
}

const shout = async (url: string, { bytes }: Shot): Promise<readonly Reply[]> =>
  (await say(url, bytes)).map(({ status, headers, body }) => ({
    status,
    body: Buffer.from(body, 'latin1').toString(),
    isJson: headers['content-type'] === 'application/json',
  }))

const newTarget = async (range: Range): Promise<Target> => {
  const [town] = await range.child.ask<readonly Town[]>('found', { towns: 1 })
  if (town === undefined) throw new Error('no organization was begun')
  const none = (): Set<string> => new Set()
  const ids = { user: none(), tag: none(), policy: none(), apiKey: none(), activity: none() }
  const body = encode({ organizationId: town.organizationId })
  const headers = [`X-Stamp: ${stamper(town.key)(body)}`]
  const answers: string[] = []
  for (const query of ['whoami', 'list_users', 'list_policies', 'list_user_tags', 'list_activities'])
    answers.push((await range.callers[0]?.ask(postOf(`/public/v1/query/${query}`, body, headers)))?.body ?? '')
  const rootId = /"userId":"([^"]+)"/.exec(answers[0] ?? '')?.[1] ?? ''
  const userIds = [...(answers[1] ?? '').matchAll(/"userId":"([^"]+)"/g)].map(([, id = '']) => id)
  const people = { root: rootId, user: userIds.find((id) => id !== rootId) ?? '' }
  const stamp = stamper(town.key)
  const door = wireDoor(town.organizationId, people, async (path, bytes) => {
    const answer = await range.callers[0]?.ask(postOf(path, bytes, [`X-Stamp: ${stamp(bytes)}`]))
    return answer?.body ?? ''
  })
  const examples = await requestsOf(door, { operations: publicOperations, queries: publicQueries })
  const target: Target = { ...town, rootId, ids, fingerprints: none(), examples }
  for (const answer of answers) learn(target, answer)
  return target
}

const aimAt = (
  { publicKeys }: Range,
  { organizationId, key, ada, grace, ids, fingerprints, examples }: Target,
  random: Random,
): Aim => ({
  keys: [key, key, ada, grace],
  random,
  known: {
    organizationId,
    publicKeys,
    ids: {
      user: [...ids.user],
      tag: [...ids.tag],
      policy: [...ids.policy],
      apiKey: [...ids.apiKey],
      activity: [...ids.activity],
    },
    fingerprints: [...fingerprints],
    examples,
    canary: `canary-${random.below(2 ** 31).toString(16)}`,
  },
})

const LEARNT_MAX = 20

/** Takes from an answer what the next requests may name: all but the root user, or soon nobody could do anything. */
const learn = (target: Target, body: string): void => {
  for (const [, member = '', values = ''] of body.matchAll(/"([a-zA-Z]*(?:id|Id|Ids))":(\[[^\]]*\]|"[^"]*")/g)) {
    const known = target.ids[member === 'id' ? 'activity' : idKindOf(member)]
    for (const [id] of values.matchAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g))
      if (id !== target.rootId && id !== target.organizationId && known.size < LEARNT_MAX) known.add(id)
  }
  for (const [fingerprint] of body.matchAll(/sha256:[0-9a-f]{64}/g)) {
    target.fingerprints.add(fingerprint)
    if (target.fingerprints.size > LEARNT_MAX) target.fingerprints.delete([...target.fingerprints][0] ?? '')
  }
}

const shown = ({ bytes }: Shot): string => `    ${JSON.stringify(Buffer.from(bytes).toString('latin1').slice(0, 1500))}`
