import * as t from 'io-ts'
import { fields } from '../codec/fields.ts'
import { mapOf } from '../codec/map-of.ts'
import { Credential } from './credential.ts'
import { MfaPolicy } from './mfa-policies.ts'
import { OauthProvider } from './oauth-provider.ts'
import { state, type DeepReadonly } from './state.ts'

const User = fields(
  {
    userId: t.string,
    userName: t.string,
    tagIds: t.array(t.string),
    /** By credential id, in order of creation. */
    credentials: mapOf(Credential),
    /** Deleted credentials, with the time of the deletion, as long as an approval by one of them could still count. */
    deletedCredentials: mapOf(t.number),
    /** By id, in order of creation. */
    mfaPolicies: mapOf(MfaPolicy),
    /** By id, in order of creation. */
    oauthProviders: mapOf(OauthProvider),
    createdAtMs: t.number,
    updatedAtMs: t.number,
  },
  {
    userEmail: t.string,
    userPhoneNumber: t.string,
    /** Whether somebody has proved to receive what is sent there; left out if not. */
    isEmailVerified: t.boolean,
    isPhoneNumberVerified: t.boolean,
  },
)
export type UserDraft = t.TypeOf<typeof User>
export type User = DeepReadonly<UserDraft>

/** The users, by id, in order of creation. */
export const users = state({ name: 'users', version: 1, codec: mapOf(User), initial: () => new Map() })
