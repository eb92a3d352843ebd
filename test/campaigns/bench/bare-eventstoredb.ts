import { EventStoreDBClient, type EventData } from '@eventstore/db-client'
import type { Commit, NewEvent } from 'countersign/define'
import type { Writer } from './measure-appends.ts'

/**
 * The client by itself: the same parts in streams of their own, and then the events of each log in one append at its exact end, which it
 * knows, because nobody else writes. It checks nothing and keeps no index.
 *
 * @param prefix  of the names of its streams
 */
export const bareEventStoreDb = (url: string, prefix: string): Writer => {
  const client = EventStoreDBClient.connectionString(url)
  const ends = new Map<string, bigint>()

  const appendTo = async (stream: string, expected: 'no_stream' | bigint, events: EventData[]): Promise<void> => {
    await client.appendToStream(stream, events, { expectedRevision: expected, requiresLeader: true })
  }
  const appendPart = (id: string, { name, salt, bytes }: NewEvent['parts'][number]): Promise<void> =>
    appendTo(`${prefix}part-${id}-${name}`, 'no_stream', [
      eventData(crypto.randomUUID(), Buffer.concat([salt, bytes]), NOTHING),
    ])
  const appendLog = (organization: string, events: readonly NewEvent[]): Promise<void> => {
    const end = ends.get(organization) ?? -1n
    ends.set(organization, end + BigInt(events.length))
    return appendTo(
      `${prefix}organization-${organization}`,
      end < 0n ? 'no_stream' : end,
      events.map(({ id, activity, revision, line }) =>
        eventData(id, line, encoder.encode(`\u00ff ${activity} ${revision}`)),
      ),
    )
  }

  return {
    name: 'the client, bare',
    append: async (commits) => {
      await Promise.all(
        commits.flatMap(({ events }) => events.flatMap(({ id, parts }) => parts.map((part) => appendPart(id, part)))),
      )
      await Promise.all([...byOrganization(commits)].map(([organization, events]) => appendLog(organization, events)))
    },
    close: () => client.dispose(),
  }
}

const NOTHING = new Uint8Array()
/** Gives plain arrays: the client takes a `Buffer` in this place for an object, and writes JSON. */
const encoder = new TextEncoder()

const eventData = (id: string, data: Uint8Array, metadata: Uint8Array): EventData => ({
  id,
  type: 'event',
  contentType: 'application/octet-stream',
  data,
  metadata,
})

const byOrganization = (commits: readonly Commit[]): ReadonlyMap<string, readonly NewEvent[]> => {
  const found = new Map<string, NewEvent[]>()
  for (const { organization, events } of commits) {
    const own = found.get(organization)
    if (own === undefined) found.set(organization, [...events])
    else own.push(...events)
  }
  return found
}
