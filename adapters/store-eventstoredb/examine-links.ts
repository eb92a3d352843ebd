import { randomUUID } from 'node:crypto'
import type { Leases } from '../../core/ports/leases.ts'
import type { ReadModels } from '../../core/ports/read-models.ts'
import { activityIndex } from './activity-index.ts'
import { eachOf } from './bounded.ts'
import { troubleOf, value } from './failures.ts'
import { activityOf, INDEX } from './index-rows.ts'
import { LINKS_LEASE, LINKS_LEASE_MS, linkStep } from './linker.ts'
import type { LinkStream, LinkStreams } from './link-streams.ts'
import { streamIn, targetOf } from './links.ts'
import type { LogParts } from './log-parts.ts'

/** What the links of a log are like. */
export type LinksFound = {
  /** How many activities were looked at. */
  readonly activities: number
  /** Those whose links were removed, doubled, or in a wrong order, and are so no more if they were mended. */
  readonly wrong: number
  readonly mended: number
  /** Those whose stream somebody has ended for ever. */
  readonly ended: number
}

export type LinksPorts = Pick<LogParts, 'names' | 'reader' | 'indexer' | 'index' | 'tails' | 'linking'> & {
  readonly readModels: ReadModels
  readonly leases: Leases | undefined
}

type Outcome = 'right' | 'wrong' | 'ended' | 'mended'

const PAGE = 500
const STREAMS_AT_ONCE = 16
const ATTEMPTS = 5

/** Compares the links of all activities with the log, and mends those that are wrong. `none`: no links were ever written. */
export const examineLinks = async (ports: LinksPorts, repair: boolean): Promise<LinksFound | 'none'> => {
  if (!repair) return compare(ports, false)
  return underLease(ports.leases, async () => {
    await ports.indexer.catchUp()
    while (await linkStep(ports.linking)); // what is missing only because nobody has written it yet
    return compare(ports, true)
  })
}

const compare = async (ports: LinksPorts, repair: boolean): Promise<LinksFound | 'none'> => {
  const { readModels, linking } = ports
  const mark = await linking.marks.read()
  if (mark === undefined) return 'none'
  const behind = await behindMarks(ports, mark.position)
  const counts = { activities: 0, right: 0, wrong: 0, mended: 0, ended: 0 }
  const lookAt = async (activities: readonly Activity[]): Promise<void> => {
    const outcomes = await eachOf(activities, STREAMS_AT_ONCE, async (one) => {
      const outcome = await examined(ports, one, behind.linked(one))
      return outcome === 'wrong' && repair ? mended(ports, one) : outcome
    })
    counts.activities += outcomes.length
    for (const outcome of outcomes) counts[outcome] += 1
  }
  const { state } = ports.indexer
  const { organizations } = activityIndex(readModels, { catchUp: state, state }) // as it is
  for (let after = ''; ;) {
    const page = await organizations(after, PAGE)
    for (const organization of page)
      for await (const activities of indexed(readModels, organization)) {
        for (const one of activities) behind.others.delete(keyOf(one))
        await lookAt(activities)
      }
    if (page.length < PAGE) break
    after = page.at(-1) ?? after
  }
  await lookAt([...behind.others.values()])
  const { activities, wrong, mended: done, ended } = counts
  return { activities, wrong: wrong + done, mended: done, ended }
}

/** An activity with its sequences as far as the index has them. */
type Activity = { readonly organization: string; readonly activity: string; readonly sequences: readonly bigint[] }

const keyOf = ({ organization, activity }: Pick<Activity, 'organization' | 'activity'>): string =>
  JSON.stringify([organization, activity])

async function* indexed(readModels: ReadModels, organization: string): AsyncGenerator<readonly Activity[]> {
  for (let after: bigint | undefined; ;) {
    const rows = await value(readModels.rows(INDEX, organization, { limit: PAGE, ascending: true, after }))
    yield rows.map(({ key: activity, value: row }) => ({
      organization,
      activity,
      sequences: activityOf(row)?.sequences ?? [],
    }))
    if (rows.length < PAGE) return
    after = rows.at(-1)?.order
  }
}

/** The end of the log, which the index or the links may not have yet: both are written behind. */
const behindMarks = async ({ reader, indexer }: LinksPorts, linkedTo: bigint) => {
  const { position: indexedTo } = await indexer.state()
  /** How many links an activity must have, beside those for its events in the index: fewer where links are behind, more where the index is. */
  const more = new Map<string, number>()
  const others = new Map<string, Activity>()
  for (let after = linkedTo < indexedTo ? linkedTo : indexedTo; ;) {
    const found = await reader.readBehind(after, PAGE, Infinity)
    for (const { organization, stored, logged } of found) {
      if (logged === undefined) continue
      const one = { organization, activity: logged.activity, sequences: [] }
      const key = keyOf(one)
      if (stored.position > indexedTo) others.set(key, one)
      const change = Number(stored.position <= linkedTo) - Number(stored.position <= indexedTo)
      if (change !== 0) more.set(key, (more.get(key) ?? 0) + change)
    }
    const last = found.at(-1)
    if (last === undefined) break
    after = last.stored.position
  }
  return { others, linked: (one: Activity): number => one.sequences.length + (more.get(keyOf(one)) ?? 0) }
}

/** @param linked  how many links it must have at least */
const examined = async (ports: LinksPorts, one: Activity, linked: number): Promise<Outcome> => {
  const { names, tails, linking } = ports
  let { sequences } = one
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const stream = await linking.streams.read(one.activity)
    if (stream === 'ended') return 'ended'
    const targets = stream === 'missing' ? [] : stream.targets
    const wanted = sequences.map((sequence) => targetOf(names, one.organization, sequence))
    const isBegun = targets.every((target, at) => at >= wanted.length || target === wanted[at])
    if (isBegun && targets.length >= linked && targets.length <= wanted.length) return 'right'
    if (attempt > 0 && !(isBegun && targets.length > wanted.length))
      return (await isOfAnother(ports, one, targets)) ? 'right' : 'wrong'
    // The index may be behind, and links may have been written meanwhile: now by the log itself.
    sequences = await tails.sequences(one.organization, one.activity)
  }
  return 'wrong'
}

/** Two organizations that have an activity of the same id: the links are those of the other one. */
const isOfAnother = async (
  { names, index }: LinksPorts,
  { organization, activity }: Activity,
  [first]: LinkStream['targets'],
): Promise<boolean> => {
  const other = first === undefined ? undefined : names.organizationOf(streamIn(first))
  return other !== undefined && other !== organization && (await index.activity(other, activity)) !== undefined
}

/** Removes what the stream has, and writes it anew. Another process may write at the same time: then it is looked at again. */
const mended = async (ports: LinksPorts, one: Activity): Promise<Outcome> => {
  const { reader, tails, linking } = ports
  const { organization, activity } = one
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1)
    try {
      const stream = await linking.streams.read(activity)
      if (stream === 'ended') return 'ended'
      const sequences = await tails.sequences(organization, activity)
      const events = await reader.partsAt(organization, sequences)
      if (stream !== 'missing') await linking.streams.remove(activity, stream.last)
      await linking.streams.writeAnew(organization, activity, events, randomUUID())
      await shown(linking.streams, activity)
      if ((await examined(ports, { ...one, sequences }, sequences.length)) === 'right') return 'mended'
    } catch (error) {
      const trouble = troubleOf(error)
      if (trouble?._tag === 'deleted') return 'ended'
      if (trouble?._tag !== 'wrong-end') throw error
    }
  return 'wrong'
}

const SHOWN_MS = 5_000
const LOOK_AGAIN_MS = 20

/** The server opens a stream that was removed only after it has acknowledged the append: until then it seems to be empty. */
const shown = async ({ read }: LinkStreams, activity: string): Promise<void> => {
  const until = performance.now() + SHOWN_MS
  while ((await read(activity)) === 'missing' && performance.now() < until)
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
}

/** How long to wait for the process that is writing links. Without its lease, both write, which is never wrong. */
const WAIT_MS = 20_000
const ASK_AGAIN_MS = 500

const underLease = async <A>(leases: Leases | undefined, work: () => Promise<A>): Promise<A> => {
  if (leases === undefined) return work()
  let lease = await value(leases.take(LINKS_LEASE, LINKS_LEASE_MS))
  for (let waited = 0; lease === undefined && waited < WAIT_MS; waited += ASK_AGAIN_MS) {
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS))
    lease = await value(leases.take(LINKS_LEASE, LINKS_LEASE_MS))
  }
  if (lease === undefined) return work()
  const held = lease
  const timer = setInterval(() => void leases.renew(held, LINKS_LEASE_MS)(), LINKS_LEASE_MS / 3)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    await value(leases.giveUp(held))
  }
}
