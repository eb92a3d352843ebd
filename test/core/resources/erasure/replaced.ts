import type { Json } from '../../../../core/failure.ts'
import type { Event } from '../../../../core/log/event.ts'

/*
 * Says once more, by hand, which members are personal and what stands for them after an erasure. It takes the values from the requests,
 * and knows nothing of parts.
 */

type Members = { readonly [member: string]: Json }

/** The event with personal members in its line: what was asked for, or the fallbacks for users who were erased. */
export const replacedIn = (event: Event, parameters: ReadonlyMap<string, Json>, erased: ReadonlySet<string>): Event => {
  if (event.type !== 'ActivityCompleted') return event
  const by = replacements[event.data.type]
  if (by === undefined) return event
  const asked = parameters.get(event.activity)
  if (asked === undefined) throw new Error(`nobody knows what ${event.activity} asked for`)
  const change = by(event.data.change as Members, asked as Members, erased)
  return { ...event, data: { ...event.data, change } }
}

type Replace = (change: Members, asked: Members, erased: ReadonlySet<string>) => Members

const isOneOf = (erased: ReadonlySet<string>, { userId }: Members): boolean =>
  typeof userId === 'string' && erased.has(userId)

/** The contacts that stand in a change: those that were asked for, and none of somebody who was erased. */
const contactsOf = (written: Members, asked: Members, isErased: boolean): Members =>
  Object.fromEntries(
    ['userEmail', 'userPhoneNumber'].flatMap((member) =>
      Object.hasOwn(written, member) && !isErased ? [[member, asked[member] ?? null]] : [],
    ),
  )

const withoutContacts = ({ userEmail: _, userPhoneNumber: __, ...rest }: Members): Members => rest

const keysOf = (written: Json | undefined, asked: Json | undefined, isErased: boolean): Json =>
  (written as readonly Members[]).map((key, index) => ({
    ...key,
    apiKeyName: isErased ? '' : ((asked as readonly Members[])[index]?.['apiKeyName'] ?? null),
  }))

const newUser = (written: Members, asked: Members, erased: ReadonlySet<string>): Members => {
  const isErased = isOneOf(erased, written)
  return {
    ...withoutContacts(written),
    userName: isErased ? '' : (asked['userName'] ?? null),
    ...contactsOf(written, asked, isErased),
    apiKeys: keysOf(written['apiKeys'], asked['apiKeys'], isErased),
  }
}

const newUsers =
  (member: string): Replace =>
  (change, asked, erased) => ({
    ...change,
    users: (change['users'] as readonly Members[]).map((user, index) =>
      newUser(user, (asked[member] as readonly Members[])[index] ?? {}, erased),
    ),
  })

/** A member that a change must have: the empty text stands for it after an erasure. */
const required =
  (member: string): Replace =>
  (change, asked, erased) => ({ ...change, [member]: isOneOf(erased, change) ? '' : (asked[member] ?? null) })

const replacements: { readonly [type: string]: Replace } = {
  ACTIVITY_TYPE_CREATE_ORGANIZATION: newUsers('rootUsers'),
  ACTIVITY_TYPE_CREATE_USERS_V4: newUsers('users'),
  ACTIVITY_TYPE_UPDATE_USER: (change, asked, erased) => {
    const isErased = isOneOf(erased, change)
    const userName = isErased ? '' : (asked['userName'] ?? null)
    return {
      ...withoutContacts(change),
      ...(Object.hasOwn(change, 'userName') ? { userName } : {}),
      ...contactsOf(change, asked, isErased),
    }
  },
  ACTIVITY_TYPE_UPDATE_USER_NAME: required('userName'),
  ACTIVITY_TYPE_UPDATE_USER_EMAIL: required('userEmail'),
  ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER: required('userPhoneNumber'),
  ACTIVITY_TYPE_CREATE_API_KEYS_V2: (change, asked, erased) => ({
    ...change,
    apiKeys: keysOf(change['apiKeys'], asked['apiKeys'], isOneOf(erased, change)),
  }),
}
