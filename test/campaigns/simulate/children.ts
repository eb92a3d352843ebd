import { resourceIds } from '../../../core/activity/identity.ts'
import { createSubOrganization } from '../../../core/resources/sub-organization/create-sub-organization.ts'
import type { Clients, Reachable } from './clients.ts'
import type { Violation } from './journal.ts'
import { newcomers } from './people.ts'
import type { Random } from './random.ts'
import { simulatedSignatures } from './simulated-signatures.ts'
import type { Truth } from './truth.ts'

/** Does one of the things that people do with organizations below theirs: begins one, works in it, looks into it, or ends it. */
export const actBelow = (random: Random, clients: Clients, reachable: readonly Reachable[], truth: Truth): void => {
  const { send, write, ask, letters } = clients
  const to = random.pick(reachable)
  const above = truth.directoryAt(truth.head)
  if (above.length === 0) return
  const children = truth.others()
  const luck = random.next()
  const child = children.length === 0 ? undefined : random.pick(children)
  const people = child?.directoryAt(child.head) ?? []
  if (child === undefined || people.length === 0 || luck < 0.2) {
    const { signer } = random.chance(0.7) ? (above[0] ?? random.pick(above)) : random.pick(above)
    const rootUsers = [random.pick(newcomers).params]
    const subOrganizationName = `below ${letters.length}`
    return send(to, write(CREATE, signer, { subOrganizationName, rootUsers, rootQuorumThreshold: 1 }))
  }
  const { organization } = child
  const { signer } = random.pick(people)
  if (luck < 0.45) return ask(to, 'list_user_tags', signer, undefined, organization)
  if (luck < 0.55) return send(to, write('delete_sub_organization', signer, {}, organization))
  send(to, write('create_user_tag', signer, { userTagName: `tag ${random.below(40)}`, userIds: [] }, organization))
}

const CREATE = 'create_sub_organization'

/** An organization is below another one exactly where the activity that was to begin it is completed. */
export const checkBelow = ([own, ...below]: readonly Truth[], violate: (violation: Violation) => void): void => {
  const promise = 'an organization below begins once, and its activity says so'
  const completed = [...(own?.activities.values() ?? [])]
    .filter(({ type, status }) => type === createSubOrganization.type && status === 'ACTIVITY_STATUS_COMPLETED')
    .map(({ activityId }) => resourceIds(simulatedSignatures, activityId)())
  const begun = below.map(({ organization }) => organization)
  for (const one of completed) if (!begun.includes(one)) violate({ promise, detail: `${one} is not there` })
  for (const one of begun) if (!completed.includes(one)) violate({ promise, detail: `${one} is there` })
}
