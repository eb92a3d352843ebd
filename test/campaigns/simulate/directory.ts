import { decodeRequestPart } from '../../../core/log/request-part.ts'
import type { Event } from '../../../core/log/event.ts'
import type { Recorded } from '../../../core/ports/event-store.ts'
import { E } from '../../../core/prelude.ts'
import type { Violation } from './journal.ts'
import { signerOf, type Signer } from './signers.ts'

/** A credential that is registered. None of them expires. */
export type Registered = { readonly signer: Signer; readonly userId: string; readonly credentialId: string }

/** What is registered at one moment, in the order of registration. Computed from the log, by nothing that the engine keeps. */
export type Directory = readonly Registered[]

/** What was registered from this event on. */
export type DirectoryStage = { readonly sequence: bigint; readonly directory: Directory }

type Violate = (violation: Violation) => void

type Change = {
  readonly users?: readonly NewUser[]
  readonly userId?: string
  readonly authenticators?: readonly NewPasskey[]
  readonly authenticatorIds?: readonly string[]
}
type NewUser = {
  readonly userId: string
  readonly apiKeys: readonly { readonly apiKeyId: string; readonly publicKey: string }[]
  readonly authenticators?: readonly NewPasskey[]
}
type NewPasskey = { readonly authenticatorId: string; readonly webauthnId: string; readonly publicKey: string }

/** What an event makes of the directory; the same one where it changes nothing. */
export const directoryAfter = (directory: Directory, event: Event, violate: Violate): Directory => {
  if (event.type !== 'ActivityCompleted') return directory
  const { change } = event.data
  if (typeof change !== 'object' || change === null) return directory
  const { users = [], userId = '', authenticators = [], authenticatorIds = [] } = change as Change // the operations of users write it
  const added = [...users.flatMap(registeredBy), ...authenticators.flatMap((passkey) => passkeyOf(userId, passkey))]
  if (added.length === 0 && authenticatorIds.length === 0) return directory
  for (const { signer } of added)
    if (directory.some((own) => own.signer.name === signer.name))
      violate({ promise: 'a credential is registered once', detail: `${signer.name} at ${event.sequence}` })
  const left = directory.filter(({ credentialId }) => !authenticatorIds.includes(credentialId))
  if (authenticatorIds.length > 0 && !left.some((own) => own.userId === userId))
    violate({ promise: 'a user keeps a credential that lasts', detail: `${userId} has none since ${event.sequence}` })
  return [...left, ...added]
}

const registeredBy = ({ userId, apiKeys, authenticators = [] }: NewUser): Directory => [
  ...apiKeys.flatMap(({ apiKeyId, publicKey }) => found(publicKey, publicKey, userId, apiKeyId)),
  ...authenticators.flatMap((passkey) => passkeyOf(userId, passkey)),
]

const passkeyOf = (userId: string, { authenticatorId, webauthnId, publicKey }: NewPasskey): Directory =>
  found(webauthnId, publicKey, userId, authenticatorId)

const found = (name: string, publicKey: string, userId: string, credentialId: string): Directory => {
  const signer = signerOf(name, publicKey)
  return signer === undefined ? [] : [{ signer, userId, credentialId }]
}

/** An event that was decided on has a stamp of a credential that its user had before it. */
export const checkStamp = (directory: Directory, event: Event, { parts }: Recorded, violate: Violate): void => {
  if (event.type !== 'ActivityCreated' && event.type !== 'ActivityVoted') return
  const { credential } = event.data.decision.basis
  const userId = event.type === 'ActivityCreated' ? event.data.requester : event.data.user
  const own = directory.find(({ credentialId }) => credentialId === credential)
  const part = parts.find(({ name }) => name === 'request')
  const request = part && decodeRequestPart(part.bytes)
  const isStamped =
    own?.userId === userId &&
    request !== undefined &&
    E.isRight(request) &&
    request.right.header === own.signer.header &&
    request.right.stamp === own.signer.stamp(request.right.body)
  if (isStamped) return
  const detail = `that of event ${event.sequence} is not: it names the credential ${credential} of ${userId}`
  violate({ promise: 'each stamp in the log is of a credential that its user had then', detail })
}

/** The stages that a log went through between two of its events, both included. */
export const stagesBetween = (stages: readonly DirectoryStage[], from: bigint, to: bigint): readonly Directory[] => {
  const first = stages.findLastIndex(({ sequence }) => sequence <= from)
  return stages.flatMap(({ sequence, directory }, index) => (index >= first && sequence <= to ? [directory] : []))
}

export const has = (directory: Directory, signer: Signer): boolean => directory.some((own) => own.signer === signer)
