import type { User, UserDraft } from './users.ts'

/** Marks a user of whom a personal member was erased. */
const MARKED: unique symbol = Symbol('erased members')

type Marked = { readonly [MARKED]?: true }

/**
 * Marks the personal members of a user: their values were erased, and the state has only fallbacks. Nothing that reads such a member can
 * be computed again as it was. A member that a later change sets is known again. Only an audit marks users.
 *
 * @param onRead  called whenever somebody reads a marked member
 */
export const markErased = (user: UserDraft, onRead: () => void): void => {
  watch(user, 'userName', onRead)
  watch(user, 'userEmail', onRead)
  watch(user, 'userPhoneNumber', onRead)
  for (const credential of user.credentials.values()) watch(credential, 'label', onRead)
  for (const provider of user.oauthProviders.values())
    for (const name of ['providerName', 'issuer', 'audience', 'subject'] as const) watch(provider, name, onRead)
  Object.defineProperty(user, MARKED, { value: true, configurable: true })
}

/** Whether the user is marked. Then read personal members only if they are really needed. */
export const hasErasedMembers = (user: User): boolean => (user as User & Marked)[MARKED] === true

const watch = <O extends object>(of: O, name: keyof O, onRead: () => void): void => {
  const fallback = of[name]
  Object.defineProperty(of, name, {
    configurable: true,
    enumerable: true,
    get: () => {
      onRead()
      return fallback
    },
    set: (value: O[keyof O]) =>
      Object.defineProperty(of, name, { configurable: true, enumerable: true, writable: true, value }),
  })
}
