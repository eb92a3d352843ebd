import { Buffer } from 'node:buffer'
import type { StreamEvent } from './log-client.ts'
import { uuidOf, type StreamNames } from './names.ts'

/*
 * Links for people with the server's own tools: the stream of an activity has one for each of its events, in their order. The store itself never
 * reads them to answer anything.
 */

/** The type by which the server, its tools and its clients know a link. */
export const LINK_TYPE = '$>'

/** What a link has as its data: the number and the stream of the event that it stands for. */
export const targetOf = (names: Pick<StreamNames, 'organization'>, organization: string, sequence: bigint): string =>
  `${sequence - 1n}@${names.organization(organization)}`

/** The name of the stream in a link's data. */
export const streamIn = (target: string): string => target.slice(target.indexOf('@') + 1)

/**
 * The id of a link. It follows from the id of the event, so that a link that is written again, behind the same one, is recognized by the server.
 *
 * @param salt  tells apart the links of a stream that is written anew from those that were removed from it, whose ids the server still knows
 */
export const linkId = (eventId: string, salt = ''): string => uuidOf(`link ${eventId}${salt === '' ? '' : ` ${salt}`}`)

export const linkEvent = (id: string, target: string): StreamEvent => ({
  id,
  type: LINK_TYPE,
  data: Buffer.from(target, 'utf8'),
  metadata: new Uint8Array(),
})
