import { Buffer } from 'node:buffer'
import { eachOf } from './bounded.ts'
import { troubleOf } from './failures.ts'
import type { Found } from './found.ts'
import { linkEvent, linkId, LINK_TYPE, streamIn, targetOf } from './links.ts'
import type { ExpectedEnd, LogClient, StoredEvent } from './log-client.ts'
import type { LogReader } from './log-reader.ts'
import type { StreamNames } from './names.ts'
import type { Tails } from './tails.ts'

/** The links of one activity, as a reader of its stream sees them. */
export type LinkStream = {
  /** The revision of the first one. It is not 0 where the stream was written anew. */
  readonly first: bigint
  readonly last: bigint
  /** What each stands for; an event that is no link has none. */
  readonly targets: readonly (string | undefined)[]
}

/** The event that a link stands for. */
export type Linked = { readonly id: string; readonly sequence: bigint; readonly revision: bigint }

export type LinkStreams = {
  /** Writes the links of events, unless they are there already. */
  readonly write: (found: readonly Found[]) => Promise<void>
  /** All links of an activity that can be seen. */
  readonly read: (activity: string) => Promise<LinkStream | 'missing' | 'ended'>
  /** Removes what the stream of an activity has, if it still ends there. */
  readonly remove: (activity: string, last: bigint) => Promise<void>
  /** Writes all links of an activity into a stream that has none. @param salt  new for each time */
  readonly writeAnew: (
    organization: string,
    activity: string,
    events: readonly Pick<Linked, 'id' | 'sequence'>[],
    salt: string,
  ) => Promise<void>
}

type Ports = {
  readonly client: LogClient
  readonly names: StreamNames
  readonly reader: Pick<LogReader, 'partsAt'>
  readonly tails: Pick<Tails, 'sequences'>
}

const STREAMS_AT_ONCE = 16
const PAGE = 500
const TOGETHER = 500
const ATTEMPTS = 5

export const linkStreams = ({ client, names, reader, tails }: Ports): LinkStreams => {
  /** Links one behind the other, with exact revisions, so that none is ever written twice. */
  const append = async (
    stream: string,
    expected: ExpectedEnd,
    links: readonly { readonly id: string; readonly target: string }[],
  ): Promise<void> => {
    let end = expected
    for (let at = 0; at < links.length; at += TOGETHER) {
      const some = links.slice(at, at + TOGETHER).map(({ id, target }) => linkEvent(id, target))
      end = (await client.append(stream, end, some)).revision
    }
  }

  const edge = async (stream: string, from: 'start' | 'end'): Promise<StoredEvent | undefined> => {
    const found = await client.readStream(stream, { from, backwards: from === 'end', limit: 1 })
    return typeof found === 'string' ? undefined : found[0]
  }

  /** Behind what stands there: the stream was written anew, an earlier attempt or another process was faster, or links are missing. */
  const catchUp = async (organization: string, activity: string): Promise<void> => {
    const stream = names.activity(activity)
    const [head, tail] = [await edge(stream, 'start'), await edge(stream, 'end')]
    // Ids of activities are made of those of their organizations; a host that gives the same to two sees the links of the first.
    if (head !== undefined && streamIn(textOf(head)) !== names.organization(organization)) return
    const there = head === undefined || tail === undefined ? 0n : tail.revision - head.revision + 1n
    const sequences = (await tails.sequences(organization, activity)).slice(Number(there))
    const events = await reader.partsAt(organization, sequences)
    await append(
      stream,
      tail === undefined ? 'none' : tail.revision,
      events.map(({ id, sequence }) => ({ id: linkId(id), target: targetOf(names, organization, sequence) })),
    )
  }

  const writeOne = async (organization: string, activity: string, events: readonly Linked[]): Promise<void> => {
    const [first] = events
    if (first === undefined) return
    const links = events.map(({ id, sequence }) => ({
      id: linkId(id),
      target: targetOf(names, organization, sequence),
    }))
    const expected = first.revision === 1n ? 'none' : first.revision - 2n
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      try {
        if (attempt === 0) await append(names.activity(activity), expected, links)
        else await catchUp(organization, activity)
        return
      } catch (error) {
        const trouble = troubleOf(error)
        if (trouble?._tag === 'deleted') return // somebody ended the stream for ever: nothing can be written into it
        if (trouble?._tag !== 'wrong-end') throw error
      }
    }
  }

  return {
    write: async (found) => {
      const runs = new Map<string, { readonly of: readonly [string, string]; readonly events: Linked[] }>()
      for (const { organization, logged } of found) {
        if (logged === undefined) continue // not of our making: it belongs to no activity
        const key = JSON.stringify([organization, logged.activity])
        const run = runs.get(key) ?? { of: [organization, logged.activity], events: [] }
        runs.set(key, run)
        run.events.push(logged)
      }
      await eachOf([...runs.values()], STREAMS_AT_ONCE, ({ of, events }) => writeOne(...of, events))
    },
    read: async (activity) => {
      const stream = names.activity(activity)
      const all: StoredEvent[] = []
      for (;;) {
        const page = await client.readStream(stream, { from: nextOf(all), limit: PAGE })
        if (page === 'deleted') return 'ended'
        if (page === 'missing') return 'missing'
        all.push(...page)
        if (page.length < PAGE) break
      }
      const [head, tail] = [all[0], all.at(-1)]
      if (head === undefined || tail === undefined) return 'missing'
      const targets = all.map((event) => (event.type === LINK_TYPE ? textOf(event) : undefined))
      return { first: head.revision, last: tail.revision, targets }
    },
    remove: (activity, last) => client.deleteSoftly(names.activity(activity), last),
    writeAnew: (organization, activity, events, salt) =>
      append(
        names.activity(activity),
        'none',
        events.map(({ id, sequence }) => ({ id: linkId(id, salt), target: targetOf(names, organization, sequence) })),
      ),
  }
}

const nextOf = (events: readonly StoredEvent[]): 'start' | bigint => {
  const last = events.at(-1)
  return last === undefined ? 'start' : last.revision + 1n
}

const textOf = ({ data }: StoredEvent): string => Buffer.from(data).toString('utf8')
