import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import { activityIdOf, denialIdOf, fingerprintOf } from '../../../core/activity/identity.ts'
import type { Json } from '../../../core/failure.ts'
import type { Sent, Shown } from './journal.ts'

/** One who can sign. */
export type Person = {
  readonly name: string
  readonly userId: string
  /** The header of the stamp: a key or a passkey. */
  readonly header: 'x-stamp' | 'x-stamp-webauthn'
  readonly stamp: (body: Uint8Array) => string
}

/** The requests of people to one organization. */
export type Sending = {
  readonly submit: (person: Person, path: string, type: string, parameters: Json) => Sent
  readonly vote: (person: Person, selection: 'approve' | 'reject', shown: Pick<Shown, 'id' | 'fingerprint'>) => Sent
  readonly query: (person: Person, path: string, members?: { readonly [member: string]: Json }) => Sent
  /** Another one's request, under one's own stamp: an approval. */
  readonly countersign: (person: Person, sent: Sent) => Sent
}

export const sendingTo = (organizationId: string): Sending => ({
  submit: (person, path, type, parameters) => {
    const body = envelope(organizationId, type, parameters)
    const activityId = creationOf(organizationId, body)
    const denialId = denialOf(organizationId, body, person)
    return { kind: 'submit', path, activityId, denialId, ...sentBy(organizationId, person, body) }
  },
  vote: (person, selection, { id, fingerprint }) => {
    const type = `ACTIVITY_TYPE_${selection.toUpperCase()}_ACTIVITY`
    const body = envelope(organizationId, type, { fingerprint })
    return { kind: 'vote', path: `${selection}_activity`, activityId: id, ...sentBy(organizationId, person, body) }
  },
  query: (person, path, members = {}) => {
    const body = encode({ organizationId, ...members })
    return { kind: 'query', path, activityId: '', ...sentBy(organizationId, person, body) }
  },
  countersign: (person, sent) => ({
    ...sent,
    ...sentBy(organizationId, person, sent.body),
    denialId: denialOf(organizationId, sent.body, person),
  }),
})

const digest = nodeDigest()
const encode = (json: Json): Uint8Array => new TextEncoder().encode(JSON.stringify(json))

const sentBy = (organizationId: string, { userId, header, stamp }: Person, body: Uint8Array) => ({
  organizationId,
  userId,
  body,
  header,
  stamp: stamp(body),
})

/** The activity that a body creates. */
export const creationOf = (organizationId: string, body: Uint8Array): string =>
  activityIdOf(digest, organizationId, fingerprintOf(digest, body))

const denialOf = (organizationId: string, body: Uint8Array, { userId }: Person): string =>
  denialIdOf(digest, organizationId, fingerprintOf(digest, body), userId)

let nonce = 0

export const envelope = (organizationId: string, type: string, parameters: Json): Uint8Array => {
  nonce += 1
  return encode({ type, timestampMs: String(Date.now()), organizationId, parameters, nonce: String(nonce) })
}
