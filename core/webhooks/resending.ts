import { sha256 } from '@noble/hashes/sha2.js'
import { encodeHex, encodeUtf8 } from '../bytes.ts'
import type { Failure } from '../failure.ts'
import { decodeEvent, millis, type Event } from '../log/event.ts'
import { LINES, type EventStore } from '../ports/event-store.ts'
import { E } from '../prelude.ts'
import type { Parents } from '../projection/parents.ts'
import type { EndpointRow } from './rows.ts'
import type { Told } from './telling.ts'
import { toldStatus, wants } from './telling.ts'
import { typeOf } from './type-of.ts'

/** An event that is told, with its place in the store. */
export type ToldEvent = { readonly event: Event; readonly position: bigint }

/** The most events of one resend. */
const RESENT_MAX = 10_000
/** The most events, of all organizations, that are read for it: nobody else is told anything meanwhile. */
export const READ_MAX = 200_000
const PAGE = 500
/** The clocks of processes differ, and so may the times of events that stand beside each other. */
const CLOCKS_MS = 10 * 60 * 1000

type Ports = { readonly store: Pick<EventStore, 'readAll' | 'readActivity'>; readonly parents: Parents }

/** What the log has for an endpoint between two times, from its creation on and before a position, in order. */
export const eventsBetween =
  ({ store, parents }: Ports) =>
  async (
    endpoint: EndpointRow,
    { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
    before: bigint,
  ): Promise<E.Either<Failure, readonly ToldEvent[]>> => {
    const isNear = async ({ organization }: Event): Promise<E.Either<Failure, boolean>> => {
      if (organization === endpoint.organizationId) return E.right(true)
      return E.map(
        ({ parent }: { readonly parent: { readonly organizationId: string } | undefined }) =>
          parent?.organizationId === endpoint.organizationId,
      )(await parents.read(organization))
    }
    const found: ToldEvent[] = []
    const begin = await firstAt(store, BigInt(endpoint.from) - 1n, before, fromMs - CLOCKS_MS)
    if (E.isLeft(begin)) return begin
    let after = begin.right
    for (let read = 0; read < READ_MAX; read += PAGE) {
      const page = await store.readAll(after, PAGE, LINES)()
      if (E.isLeft(page)) return page
      for (const { line, position } of page.right) {
        if (position >= before || found.length >= RESENT_MAX) return E.right(found)
        after = position
        const read = decodeEvent(line)
        if (E.isLeft(read)) continue // its organization is parked
        const event = read.right
        const atMs = millis(event.at)
        if (atMs > toMs + CLOCKS_MS) return E.right(found)
        const status = atMs >= fromMs && atMs <= toMs ? toldStatus(event) : undefined
        if (status === undefined) continue
        const near = await isNear(event)
        if (E.isLeft(near)) return near
        if (!near.right) continue
        const type = await typeOf(store, event)
        if (E.isLeft(type)) return type
        const told: Told = { organizationId: event.organization, type: type.right, status }
        if (wants({ ...endpoint, isActive: true }, told)) found.push({ event, position })
      }
      if (page.right.length < PAGE) break
    }
    return E.right(found)
  }

/** A position behind which the events of a time begin, by halves: positions may have gaps, and grow with the times, but for the clocks. */
const firstAt = async (
  store: Pick<EventStore, 'readAll'>,
  from: bigint,
  to: bigint,
  atMs: number,
): Promise<E.Either<Failure, bigint>> => {
  let [low, high] = [from, to]
  while (high - low > PAGE) {
    const middle = (low + high) / 2n
    const read = await store.readAll(middle, 1, LINES)()
    if (E.isLeft(read)) return read
    const [first] = read.right
    const event = first && decodeEvent(first.line)
    if (event === undefined || E.isLeft(event) || millis(event.right.at) >= atMs) high = middle
    else low = middle
  }
  return E.right(low)
}

/** The id of a delivery that was asked for. */
export const resentId = (endpointId: string, eventId: string, askedBy: string): string => {
  const hex = encodeHex(sha256(encodeUtf8(`${endpointId} ${eventId} ${askedBy}`)))
  const variant = '89ab'[Number.parseInt(hex.slice(16, 17), 16) % 4]
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
