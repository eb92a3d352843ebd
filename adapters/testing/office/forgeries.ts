import type { AuditLogOptions } from '../../audit/audit-log.ts'
import { auditLog } from '../../audit/index.ts'
import { nodeDigest } from '../../digest/node-digest.ts'
import { orThrow } from '../../../core/countersign-error.ts'
import type { Json } from '../../../core/failure.ts'
import { hashOf } from '../../../core/log/chain.ts'
import { decodeEvent, encodeEvent, type Event, type EventOf } from '../../../core/log/event.ts'
import { exportLines, pagesOf } from '../../../core/log/transcript.ts'
import type { EventStore, Recorded } from '../../../core/ports/event-store.ts'
import { E } from '../../../core/prelude.ts'

type Completed = EventOf<'ActivityCompleted'>

/**
 * Forges the log of a store, as somebody can who has all of it, and no key: another value in a change or in a result, and hashes that fit.
 *
 * @returns the forgeries that an audit does not find
 */
export const missedForgeries = async (
  store: Pick<EventStore, 'readAll' | 'lastPosition'>,
  options: AuditLogOptions,
): Promise<readonly string[]> => {
  const log: Recorded[] = []
  for await (const page of pagesOf(store)) log.push(...orThrow(page))
  const missed: string[] = []
  for (const [index, recorded] of log.entries()) {
    const event = orThrow(decodeEvent(recorded.line))
    if (event.type !== 'ActivityCompleted') continue
    for (const { at, forged } of forgeriesOf(event)) {
      const report = await auditLog(
        textOf(log.toSpliced(index, 1, { ...recorded, line: encodeEvent(forged) })),
        options,
      )
      if (report.findings.length === 0) missed.push(`${event.data.type}: another value of ${at} is not found`)
    }
  }
  return missed
}

type Forgery = { readonly at: string; readonly forged: Event }

const forgeriesOf = (event: Completed): readonly Forgery[] =>
  (['change', 'result'] as const).flatMap((member) =>
    changesOf(event.data[member], member).map(([at, json]) => ({
      at,
      forged: { ...event, data: { ...event.data, [member]: json } },
    })),
  )

/** The value with another text, number or truth in one place, for each place. */
const changesOf = (json: Json, at: string): readonly (readonly [at: string, json: Json])[] => {
  if (Array.isArray(json))
    return json.flatMap((one: Json, index) =>
      changesOf(one, `${at}[${index}]`).map(([place, other]) => [place, json.with(index, other) as Json] as const),
    )
  if (typeof json === 'object' && json !== null)
    return Object.entries(json).flatMap(([name, one]) =>
      changesOf(one, `${at}.${name}`).map(([place, other]) => [place, withMember(json, name, other)] as const),
    )
  return [[at, anotherThan(json)]]
}

const withMember = (json: object, name: string, value: Json): Json =>
  Object.fromEntries([...Object.entries(json), [name, value]])

const anotherThan = (json: Json): Json => {
  if (typeof json === 'string') return json === '' ? 'x' : json.slice(0, -1) + (json.endsWith('0') ? '1' : '0')
  if (typeof json === 'number') return json + 1
  return typeof json === 'boolean' ? !json : 'something'
}

/** The text of a log whose events are linked anew: each has the hash of the line before it in its organization. */
const textOf = async function* (log: readonly Recorded[]): AsyncGenerator<Uint8Array, undefined> {
  const last = new Map<string, string>()
  const linked = log.map((recorded) => {
    const event = orThrow(decodeEvent(recorded.line))
    const line = encodeEvent({ ...event, previous: last.get(event.organization) ?? event.previous })
    last.set(event.organization, hashOf(nodeDigest(), line))
    return { ...recorded, line }
  })
  for await (const chunk of exportLines(nodeDigest(), pagesIn(linked))) yield orThrow(chunk)
}

const pagesIn = async function* (
  log: readonly Recorded[],
): AsyncGenerator<E.Either<never, readonly Recorded[]>, undefined> {
  yield E.right(log)
}
