import { isSame } from '../../../core/audit/same-json.ts'
import { decodeUtf8 } from '../../../core/bytes.ts'
import type { Json } from '../../../core/failure.ts'
import { REQUEST } from '../../../core/log/parts.ts'
import { erasure } from '../../../core/resources/erasure/erasure.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import type { Part } from '../../../core/ports/event-store.ts'
import type { Draft, Other } from '../../core/audit/forgery.ts'

/** An event as the engine wrote it. */
export type Written = { readonly event: Draft['event']; readonly parts: readonly Part[] }

/**
 * What an engine wrote otherwise than a log has it. Where the operation itself says when another attempt may follow, as that which begins an
 * organization does, the log only says so.
 *
 * @param earlier  the events of the log before this one
 */
export const howDifferent = (
  draft: Draft,
  { event: written, parts }: Written,
  earlier: readonly Draft[],
): string | undefined => {
  const said = draft.event
  if (said.type !== written.type || said.activity !== written.activity)
    return `is written as ${written.type} of ${written.activity}`
  if (said.at !== written.at) return `is written at ${written.at} instead of ${said.at}`
  if (said.type === 'ActivityStarted' && (said.data.begins === true || isOfOwnPace(said, earlier))) {
    const [attempt, begins] = [written.data.attempt, written.data.begins]
    return said.data.attempt === attempt && said.data.begins === begins ? undefined : 'is written with another attempt'
  }
  const [one, other] = [withoutRead(said.data), withoutRead(written.data)]
  if (!isSame(one, other)) return `is written with ${JSON.stringify(other)} instead of ${JSON.stringify(one)}`
  const [given, found] = [textsOf(draft.others, draft.erased), textsOf(parts, draft.erased)]
  return isSame(given, found) ? undefined : `has the parts ${JSON.stringify(found)} instead of ${JSON.stringify(given)}`
}

/** The parts but for the request, without those that were erased. */
const textsOf = (parts: readonly Other[] = [], erased: Draft['erased'] = {}): readonly string[] =>
  parts
    .filter(({ name }) => name !== REQUEST && !Object.hasOwn(erased, name))
    .map(({ name, bytes }) => `${name} ${decodeUtf8(bytes)}`)
    .toSorted()

/** The states that it rests on may have been written down at an earlier place, which said the same; and lines have other ids. */
const withoutRead = (data: { readonly [member: string]: Json }): Json => {
  const copy = structuredClone(data) as Copied // the audit has read it
  delete copy.decision?.basis.read
  delete copy.read
  delete copy.performed?.genesisHash
  return copy
}

type Copied = { decision?: { basis: { read?: Json } }; read?: Json; performed?: { genesisHash?: Json } }

/** The types of those operations that say themselves when another attempt may follow. */
const OF_OWN_PACE: ReadonlySet<unknown> = new Set(
  [...publicApi, ...erasure]
    .flatMap(({ operations }) => operations)
    .filter(({ perform }) => typeof perform?.resumeAfterMs === 'function')
    .flatMap(({ versions }) => versions.map(({ type }) => type)),
)

/** Whether the activity of an event is of such an operation. */
const isOfOwnPace = ({ activity }: Draft['event'], earlier: readonly Draft[]): boolean =>
  earlier.some(({ event }) => event.activity === activity && OF_OWN_PACE.has(event.data.type))
