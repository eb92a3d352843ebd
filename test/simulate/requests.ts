import type { SigningKey } from '../../adapters/signatures/signer.ts'
import type { Clients, Reachable } from './clients.ts'
import { newUser, peopleAt } from './people.ts'
import { root } from './processes.ts'
import type { Random } from './random.ts'
import { keys } from './simulated-signatures.ts'
import type { Truth } from './truth.ts'

/** Does one of the things that people do: asks, asks several times at once, repeats, votes, or wants something new. */
export const act = (random: Random, clients: Clients, to: Reachable, truth: Truth): void => {
  const { send, write, ask, letters, genesis } = clients
  if (truth.head === 0n) return send(to, genesis)
  const people = peopleAt(truth, truth.head)
  const newest = [...people.keys()].at(-1)
  const isNew = newest !== undefined && !peopleAt(truth, truth.head - 3n).has(newest)
  if (isNew && random.chance(0.3)) return rush(clients, to, newest)
  const key = random.pick([root, ...people.keys()])
  const luck = random.next()
  if (luck < 0.14) {
    const path = random.pick(['list_user_tags', 'list_user_tags', 'list_steps'] as const)
    const times = random.chance(0.2) ? 2 + random.below(4) : 1
    for (let n = 0; n < times; n += 1) ask(to, path, key)
    return
  }
  if (luck < 0.26) return send(to, random.pick(letters))
  if (luck < 0.44)
    return send(
      to,
      write(random.pick(['pay', 'pay', 'wire']), random.chance(0.6) ? root : key, {
        reference: `reference ${letters.length}`,
      }),
    )
  const open = [...truth.activities.values()].filter(({ status }) => status === 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  if (luck < 0.58 && open.length > 0) {
    const { fingerprint } = random.pick(open)
    return send(to, write(random.chance(0.8) ? 'approve_activity' : 'reject_activity', key, { fingerprint }))
  }
  const free = keys.find((one) => one !== root && !people.has(one))
  if (luck < 0.66 && free !== undefined) return send(to, write('create_users', root, { users: [newUser(free)] }))
  if (luck < 0.69) {
    const userIds = [...new Set([people.get(root), ...people.values()])].filter((id) => id !== undefined).slice(0, 3)
    const threshold = Math.min(userIds.length, 1 + random.below(2))
    return send(to, write('update_root_quorum', root, { threshold, userIds }))
  }
  if (luck < 0.76) {
    const consensus = random.pick(['approvers.count() >= 2', 'approvers.count() >= 1', ''])
    const policyName = `policy ${letters.length}`
    return send(
      to,
      write('create_policy', root, { policyName, effect: 'EFFECT_ALLOW', condition: '', consensus, notes: '' }),
    )
  }
  send(to, write('create_user_tag', key, { userTagName: `tag ${random.below(40)}`, userIds: [] }))
}

/** Somebody who has just been enrolled comes to a process that is at work, and may not have heard of it. */
const rush = ({ send, write, ask, letters }: Clients, to: Reachable, newest: SigningKey): void => {
  const tag = () => ({ userTagName: `tag ${letters.length}`, userIds: [] })
  for (let n = 0; n < 2; n += 1) {
    ask(to, 'list_user_tags', newest)
    send(to, write('create_user_tag', root, tag()))
    send(to, write('create_user_tag', newest, tag()))
  }
}
