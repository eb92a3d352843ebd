import type { AllStreamRecordedEvent, AllStreamResolvedEvent, ResolvedEvent } from '@eventstore/db-client'
import type { AllPage, StoredEvent, StreamPage } from './log-client.ts'
import { packStored } from './worker-pack.ts'
import { refusalOf, refused } from './worker-refusal.ts'
import type { LeaderClient } from './worker-client.ts'
import type { Answer } from './worker-messages.ts'

/** A read that is under way. */
export type Reading = { readonly answer: Promise<Answer>; readonly end: () => void }

/** A stream of the client, as far as it is used. */
type Page = {
  on(event: 'data', got: (resolved: ResolvedEvent | AllStreamResolvedEvent) => void): unknown
  on(event: 'error', failed: (error: Error) => void): unknown
  on(event: 'end' | 'close', ended: () => void): unknown
  cancel(): Promise<void>
}

export const readStream = (client: LeaderClient, stream: string, { from, backwards, limit }: StreamPage): Reading => {
  const page = client.readStream(stream, {
    fromRevision: from,
    direction: backwards === true ? 'backwards' : 'forwards',
    maxCount: limit,
    requiresLeader: true,
  })
  return reading([page], ([events = []]) => events)
}

/** Where so many events of a stream stand in the log of all, from a revision on. */
export const readPositions = (client: LeaderClient, stream: string, from: bigint, count: number): Reading => {
  const page = client.readStream(stream, { fromRevision: from, maxCount: count, requiresLeader: true })
  const answer = resolvedOf(page).then((read): Answer => {
    const positions = new BigUint64Array(read.length)
    for (const [index, resolved] of read.entries()) positions[index] = positionOf(resolved)
    return { _tag: 'placed', positions }
  })
  return ended([page], answer, () => ({ _tag: 'placed', positions: new BigUint64Array() }))
}

export const readAll = (client: LeaderClient, page: AllPage): Reading => {
  const pages = pagesOfAll(client, page)
  return reading(pages, ([events = [], before = []]) => together(page, events, before), page)
}

/** @throws what the client throws */
export const eventsOfAll = async (client: LeaderClient, page: AllPage): Promise<readonly StoredEvent[]> => {
  const [events = [], before = []] = await Promise.all(pagesOfAll(client, page).map((one) => eventsOf(one, page)))
  return together(page, events, before)
}

/**
 * Reading backwards, the server begins before the position that it is given. So the event at the position is read on its own, forwards.
 */
const pagesOfAll = (client: LeaderClient, { from, backwards, limit }: AllPage): readonly Page[] => {
  const fromPosition = typeof from === 'bigint' ? { commit: from, prepare: from } : from
  const page = (direction: 'forwards' | 'backwards', maxCount: number): Page =>
    client.readAll({ fromPosition, direction, maxCount, requiresLeader: true })
  if (backwards !== true) return [page('forwards', limit)]
  return typeof from === 'bigint' ? [page('forwards', 1), page('backwards', limit)] : [page('backwards', limit)]
}

const together = (
  { from, backwards, limit }: AllPage,
  events: readonly StoredEvent[],
  before: readonly StoredEvent[],
): readonly StoredEvent[] =>
  backwards === true && typeof from === 'bigint'
    ? [...events.filter(({ position }) => position === from), ...before].slice(0, limit)
    : events

const reading = (
  pages: readonly Page[],
  joined: (found: readonly (readonly StoredEvent[])[]) => readonly StoredEvent[],
  wanted?: Wanted,
): Reading =>
  ended(
    pages,
    Promise.all(pages.map((page) => eventsOf(page, wanted))).then((found): Answer => ({
      _tag: 'read',
      packed: packStored(joined(found)),
    })),
  )

const ended = (
  pages: readonly Page[],
  answer: Promise<Answer>,
  gone: (packed: 'missing' | 'deleted') => Answer = (packed) => ({ _tag: 'read', packed }),
): Reading => ({
  answer: answer.catch((error: unknown): Answer => {
    const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : undefined
    if (type === 'stream-not-found') return gone('missing')
    if (type === 'stream-deleted') return gone('deleted')
    return error instanceof NoPosition ? NO_POSITION : refusalOf(error, false)
  }),
  end: () => {
    for (const page of pages) void page.cancel().catch(() => undefined)
  },
})

type Resolved = ResolvedEvent | AllStreamResolvedEvent

const resolvedOf = (page: Page): Promise<readonly Resolved[]> =>
  new Promise((resolve, reject) => {
    const read: Resolved[] = []
    page.on('data', (resolved) => read.push(resolved))
    page.on('error', reject)
    page.on('end', () => resolve(read))
    page.on('close', () => reject(new Error('closed'))) // of no effect behind the others
  })

const eventsOf = async (page: Page, wanted: Wanted | undefined): Promise<readonly StoredEvent[]> =>
  (await resolvedOf(page)).flatMap((resolved) => storedEvent(resolved, wanted) ?? [])

class NoPosition extends Error {}

const NO_POSITION = refused(
  { _tag: 'unusable' },
  'the server is too old: it does not tell the positions of events that it reads from a stream, as servers from 22.6 on do',
)
const NOT_TOLD = 2n ** 64n - 1n

/** Which bytes are wanted: those of streams that begin so (default: of all), and whether without the data. */
type Wanted = Pick<AllPage, 'prefixes' | 'withoutData'>

/**
 * An event of ours as it was written. JSON of other applications is what the client has made of it: parsed and written anew.
 *
 * @returns `undefined` for a link to nothing
 */
export const storedEvent = (resolved: Resolved, { prefixes, withoutData }: Wanted = {}): StoredEvent | undefined => {
  const { event } = resolved
  if (event === undefined) return undefined
  const isWanted = prefixes === undefined || prefixes.some((prefix) => event.streamId.startsWith(prefix))
  const isOmitted = isWanted && withoutData === true
  return {
    id: event.id,
    type: event.type,
    stream: event.streamId,
    revision: event.revision,
    position: positionOf(resolved),
    createdMs: event.created.getTime(),
    data: isWanted && !isOmitted ? bytesOf(event.data) : NOTHING,
    metadata: isWanted ? bytesOf(event.metadata) : NOTHING,
    ...(isOmitted ? { omitted: bytesOf(event.data).length } : {}),
  }
}

/** @throws NoPosition */
const positionOf = ({ event, commitPosition }: Resolved): bigint => {
  const own: AllStreamRecordedEvent['position'] | undefined = event?.position
  const position = own?.commit ?? commitPosition
  if (position === undefined || position >= NOT_TOLD) throw new NoPosition()
  return position
}

const NOTHING = new Uint8Array()

const bytesOf = (value: unknown): Uint8Array => {
  if (value instanceof Uint8Array) return value
  return value === undefined ? NOTHING : Buffer.from(JSON.stringify(value))
}
