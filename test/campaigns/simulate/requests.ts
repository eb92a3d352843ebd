import type { Json } from '../../../core/failure.ts'
import type { Clients, Reachable } from './clients.ts'
import { has, type Directory, type Registered } from './directory.ts'
import { freePasskeys, isTaken, newcomers } from './people.ts'
import type { Random } from './random.ts'
import { twinOf, type Signer } from './signers.ts'
import type { Truth } from './truth.ts'

/** Does one of the things that people do: asks, asks several times at once, repeats, votes, or wants something new. */
export const act = (random: Random, clients: Clients, reachable: readonly Reachable[], truth: Truth): void => {
  const { send, write, ask, letters, genesis } = clients
  const to = random.pick(reachable)
  if (truth.head === 0n) return send(to, genesis)
  const [directory, before] = [truth.directoryAt(truth.head), truth.directoryAt(truth.head - 3n)]
  if (directory.length === 0) return send(to, genesis) // a broken store may have a log that nobody began
  const root = random.pick(signersOf(directory, directory[0]?.userId))
  const missing = AT_FIRST.find((path) => !letters.some((letter) => letter.path === path))
  if (missing !== undefined && random.chance(0.5)) return send(to, write(missing, root, firstOf(random, missing)))
  const newest = directory.at(-1)?.signer ?? root
  if (!has(before, newest) && random.chance(0.3)) return rush(clients, to, root, newest)
  const gone = before.find(({ signer }) => !has(directory, signer))
  if (gone !== undefined && random.chance(0.5)) return takeOver(random, clients, reachable, directory, gone)
  const signer = random.chance(0.05) ? random.pick(newcomers).signers[0] : random.pick(signersOf(directory))
  const open = [...truth.activities.values()].filter(({ status }) => status === 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  if (open.length > 0 && random.chance(0.4)) {
    const { fingerprint } = random.pick(open)
    return send(to, write(random.chance(0.8) ? 'approve_activity' : 'reject_activity', signer, { fingerprint }))
  }
  const luck = random.next()
  if (luck < 0.14) {
    const path = random.pick(['list_user_tags', 'list_user_tags', 'list_steps', 'get_authenticators'] as const)
    const { userId } = random.pick(directory)
    const times = random.chance(0.2) ? 2 + random.below(4) : 1
    for (let n = 0; n < times; n += 1) ask(to, path, signer, userId)
    return
  }
  if (luck < 0.26) return send(to, random.pick(letters))
  if (luck < 0.44) {
    const reference = `reference ${letters.length}`
    return send(to, write(random.pick(['pay', 'pay', 'wire']), random.chance(0.6) ? root : signer, { reference }))
  }
  const free = newcomers.find(({ signers }) => !signers.some((one) => isTaken(directory, one)))
  if (luck < 0.52 && free !== undefined) return send(to, write('create_users', root, { users: [free.params] }))
  if (luck < 0.62) return changeRules(random, clients, to, root, directory)
  if (luck < 0.8) return changePasskeys(random, clients, to, directory)
  send(to, write('create_user_tag', signer, { userTagName: `tag ${random.below(40)}`, userIds: [] }))
}

/** At the beginning several people come at once, and have to approve what others want. */
const AT_FIRST = ['create_users', 'create_policy'] as const

const firstOf = (random: Random, path: (typeof AT_FIRST)[number]): Json =>
  path === 'create_policy'
    ? policyOf('at first', 'approvers.count() >= 2')
    : { users: newcomers.slice(0, 2 + random.below(newcomers.length - 2)).map(({ params }) => params) }

/** The credentials of a user, or all of them. */
const signersOf = (directory: Directory, of?: string): readonly Signer[] =>
  directory.flatMap(({ signer, userId }) => (of === undefined || of === userId ? [signer] : []))

const changeRules = (
  random: Random,
  { send, write, letters }: Clients,
  to: Reachable,
  root: Signer,
  directory: Directory,
): void => {
  if (random.chance(0.3)) {
    const userIds = [...new Set(directory.map(({ userId }) => userId))].slice(0, 3)
    const threshold = Math.min(userIds.length, 1 + random.below(2))
    return send(to, write('update_root_quorum', root, { threshold, userIds }))
  }
  const consensus = random.pick(['approvers.count() >= 2', 'approvers.count() >= 1', ''])
  send(to, write('create_policy', root, policyOf(`policy ${letters.length}`, consensus)))
}

const policyOf = (policyName: string, consensus: string): Json => ({
  policyName,
  effect: 'EFFECT_ALLOW',
  condition: '',
  consensus,
  notes: '',
})

/** Somebody registers a passkey, or deletes one, which may be the last credential of its user. */
const changePasskeys = (random: Random, { send, write }: Clients, to: Reachable, directory: Directory): void => {
  const { signer, userId } = random.pick(directory)
  const free = freePasskeys(directory)
  if (free.length > 0 && random.chance(0.5)) {
    const authenticators = [random.pick(free).params]
    return send(to, write('create_authenticators', signer, { userId, authenticators }))
  }
  const passkeys = directory.filter((one) => one.signer.header === 'X-Stamp-WebAuthn')
  if (passkeys.length === 0) return
  const passkey = random.pick(passkeys)
  const by = random.pick(signersOf(directory, passkey.userId))
  const authenticatorIds = [passkey.credentialId]
  send(to, write('delete_authenticators', by, { userId: passkey.userId, authenticatorIds }))
}

/**
 * A passkey was deleted. Another one is registered under its id, and who had the first comes to processes that may have heard of neither:
 * with a request that has to be refused.
 */
const takeOver = (
  random: Random,
  { send, write, ask, letters }: Clients,
  reachable: readonly Reachable[],
  directory: Directory,
  { signer, userId }: Registered,
): void => {
  const twin = twinOf(signer)
  const own = signersOf(directory, userId)
  if (twin !== undefined && !isTaken(directory, twin) && own.length > 0) {
    const parameters = { userId, authenticators: [twin.params] }
    send(random.pick(reachable), write('create_authenticators', random.pick(own), parameters))
  }
  for (const to of reachable) {
    if (random.chance(0.5)) continue
    ask(to, 'list_user_tags', signer)
    send(to, write('create_user_tag', signer, { userTagName: `tag ${letters.length}`, userIds: [] }))
  }
}

/** Somebody who has just been enrolled comes to a process that is at work, and may not have heard of it. */
const rush = ({ send, write, ask, letters }: Clients, to: Reachable, root: Signer, newest: Signer): void => {
  const tag = () => ({ userTagName: `tag ${letters.length}`, userIds: [] })
  for (let n = 0; n < 2; n += 1) {
    ask(to, 'list_user_tags', newest)
    send(to, write('create_user_tag', root, tag()))
    send(to, write('create_user_tag', newest, tag()))
  }
}
