import * as t from 'io-ts'
import { fields } from '../codec/fields.ts'
import { mapOf } from '../codec/map-of.ts'
import { isExpired, kindOf, type Credential, type Stamp } from './credential.ts'
import { formerCredentials } from './former-credentials.ts'
import { ipAllowlists } from './ip-allowlists.ts'
import { state, type Draft, type Organization } from './state.ts'
import { users, type UserDraft } from './users.ts'

/**
 * The name by which a stamp refers to a credential, such as its public key. The kind is part of the name, so that a name of one kind
 * can never refer to a credential of another kind.
 */
export type CredentialName = { readonly kind: Stamp['kind']; readonly name: string }

/** The directory: finds the user and the credential by kind and name. */
export const credentials = state({
  name: 'credentials',
  version: 1,
  codec: mapOf(fields({ userId: t.string, credentialId: t.string })),
  initial: () => new Map(),
})

/** Finds the credential of this name, expired or not, in one state of an organization after the other. */
export const finderOf = (name: CredentialName): ((organization: Organization) => Credential | undefined) => {
  const key = keyOf(name)
  return (organization) => {
    const owner = credentials.of(organization).get(key)
    return owner && users.of(organization).get(owner.userId)?.credentials.get(owner.credentialId)
  }
}

/** The credential of this name, expired or not. */
export const credentialNamed = (organization: Organization, name: CredentialName): Credential | undefined =>
  finderOf(name)(organization)

/**
 * Whether a user cannot get a credential of this name: because somebody has one, or because another user had one. A user may register
 * again what was their own.
 *
 * @param userId  the user; without it, somebody new
 */
export const isTaken = (organization: Organization, name: CredentialName, userId?: string): boolean => {
  const key = keyOf(name)
  const formerOwner = formerCredentials.of(organization).get(key)
  return credentials.of(organization).has(key) || (formerOwner !== undefined && formerOwner !== userId)
}

/** The name of a credential, or of the credential that made a stamp. */
export const nameOf = (named: Credential | Stamp): CredentialName => ({
  kind: named.kind,
  name: named.kind === 'attested' ? named.publicKey : kindOf(named).nameOf(named),
})

export const addCredential = (draft: Draft, user: UserDraft, credential: Credential): void => {
  const { userId, credentialId } = credential
  user.credentials.set(credentialId, { ...credential })
  credentials.in(draft).set(keyOf(nameOf(credential)), { userId, credentialId })
}

export const removeCredential = (draft: Draft, user: UserDraft, credentialId: string): void => {
  const credential = user.credentials.get(credentialId)
  if (credential === undefined) return
  const key = keyOf(nameOf(credential))
  user.credentials.delete(credentialId)
  credentials.in(draft).delete(key)
  if (!isExpired(credential, Infinity)) formerCredentials.in(draft).set(key, user.userId)
  const { publicKey } = credential
  if (ipAllowlists.of(draft).has(publicKey) && !hasPublicKey(draft, publicKey)) ipAllowlists.in(draft).delete(publicKey)
}

/** Whether somebody has a credential with this public key, as the API shows it. Several passkeys may have the same one. */
export const hasPublicKey = (organization: Organization, publicKey: string): boolean => {
  for (const { credentials: own } of users.of(organization).values())
    for (const credential of own.values()) if (credential.publicKey === publicKey) return true
  return false
}

const keyOf = ({ kind, name }: CredentialName): string => `${kind}:${name}`
