import { createHash } from 'node:crypto'
import { uuidOfHash } from '../../core/activity/identity.ts'

/** Names of the streams of one store. All of them begin with its prefix. */
export type StreamNames = {
  /** What the names of all organizations' streams begin with. */
  readonly organizations: string
  readonly organization: (id: string) => string
  /** The organization of a stream; `undefined` for any other stream. */
  readonly organizationOf: (stream: string) => string | undefined
  readonly part: (eventId: string, name: string) => string
  /** What the names of all streams of parts begin with. */
  readonly parts: string
  /** The links to the events of an activity. */
  readonly activity: (id: string) => string
  /** The stream of the store's own marks. */
  readonly marks: string
  readonly trial: (id: string) => string
  /** The stream of writes that only show who leads. */
  readonly confirmations: string
  /** What the names of all streams of trials begin with. */
  readonly trials: string
}

const ORGANIZATION = 'organization-'

/**
 * A prefix must not contain the word by which streams of organizations are told from others: then no store sees the streams of another one
 * whose prefix begins with its own.
 */
export const isPrefix = (prefix: string): boolean =>
  /^[A-Za-z0-9_-]{0,100}$/.test(prefix) && !prefix.includes(ORGANIZATION)

/** @param prefix  as `isPrefix` allows */
export const streamNames = (prefix: string): StreamNames => {
  const organizations = `${prefix}${ORGANIZATION}`
  return {
    organizations,
    organization: (id) => `${organizations}${id}`,
    organizationOf: (stream) =>
      stream.startsWith(organizations) && stream.length > organizations.length
        ? stream.slice(organizations.length)
        : undefined,
    // A UUID has a fixed length, so that two pairs never have the same name.
    part: (eventId, name) => `${prefix}part-${uuidOf(eventId)}-${name}`,
    parts: `${prefix}part-`,
    // A UUID, too: an id might begin with the word by which streams of organizations are known.
    activity: (id) => `${prefix}activity-${uuidOf(id)}`,
    marks: `${prefix}countersign`,
    trial: (id) => `${prefix}trial-${id}`,
    confirmations: `${prefix}confirmations`,
    trials: `${prefix}trial-`,
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * The UUID that stands for an event id on the server, which takes no others. A UUID in lower case stands for itself; of any other id, it is
 * the UUID (version 8, RFC 9562) of its SHA-256.
 */
export const uuidOf = (id: string): string =>
  UUID.test(id) ? id : uuidOfHash(createHash('sha256').update(id, 'utf8').digest('hex'))
