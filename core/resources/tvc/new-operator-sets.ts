import * as t from '../../codec/t.ts'
import type { ExecuteContext } from '../../definition/operation.ts'
import { refuse } from '../../definition/refuse.ts'
import { checkQuota } from '../check-quota.ts'
import { encryptKeyOf, QosPublicKey, signKeyOf } from './qos-public-key.ts'
import { tvcLimits } from './tvc-limits.ts'
import { tvcOperators, tvcOperatorSets, type NewTvcOperator, type NewTvcOperatorSet } from './tvc-operators.ts'

export const OPERATORS_MAX = 50

/** Names stand in each manifest and in many answers. */
export const Name = t.textUpTo(256)

const Threshold = t.refined(t.Integer, 'a positive number of operators', (count) => count >= 1)
const NewOperator = t.fields({ name: Name, publicKey: QosPublicKey })

export const OperatorSetParams = t.fields(
  { name: Name, threshold: Threshold },
  { newOperators: t.list(NewOperator), existingOperatorIds: t.Uuids },
  ({ threshold, newOperators = [], existingOperatorIds = [] }) => {
    const size = newOperators.length + existingOperatorIds.length
    if (size > OPERATORS_MAX) return { member: 'newOperators', expected: `at most ${OPERATORS_MAX} operators in a set` }
    return threshold > size ? { member: 'threshold', expected: 'at most as many as the set has operators' } : undefined
  },
)
type OperatorSetParams = t.TypeOf<typeof OperatorSetParams>

/** Which of the two sets of an app it is: the prefix of its members in a request. */
type Which = 'manifestSet' | 'shareSet'

/** QuorumOS refuses to share a key among holders of whom each one has all of it. */
const THRESHOLD_MIN = { manifestSet: 1, shareSet: 2 }

/**
 * Finds or makes the sets that a request gives, one after the other. An operator with the same name and key as another one is that other
 * one, and a set with the same name, threshold and members is that other set.
 */
export const operatorSets = (context: ExecuteContext<undefined>) => {
  const { organization, ids, find, findAll } = context
  const operators: NewTvcOperator[] = []
  const sets: NewTvcOperatorSet[] = []

  const operatorFor = (given: t.TypeOf<typeof NewOperator>): NewTvcOperator => {
    const known = [...tvcOperators.of(organization).values(), ...operators]
    const same = known.find(({ name, publicKey }) => name === given.name && publicKey === given.publicKey)
    if (same !== undefined) return same
    const made = { operatorId: ids(), ...given }
    operators.push(made)
    return made
  }

  const setFor = (
    which: Which,
    { name, threshold, newOperators = [], existingOperatorIds = [] }: OperatorSetParams,
  ) => {
    const members = [
      ...findAll('TVC operator', tvcOperators, existingOperatorIds),
      ...newOperators.map((given) => operatorFor(given)),
    ]
    checkDistinct(which, members)
    const operatorIds = members.map(({ operatorId }) => operatorId)
    const known = [...tvcOperatorSets.of(organization).values(), ...sets]
    const same = known.find(
      (one) => one.name === name && one.threshold === threshold && isSame(one.operatorIds, operatorIds),
    )
    if (same !== undefined) return same
    const made = { operatorSetId: ids(), name, operatorIds, threshold }
    sets.push(made)
    return made
  }

  return {
    /** @param params  if there is no id */
    setOf: (which: Which, operatorSetId: string | undefined, params: OperatorSetParams | undefined) => {
      const set = params === undefined ? undefined : setFor(which, params)
      const found = set ?? find('TVC operator set', tvcOperatorSets, operatorSetId ?? '')
      if (found.threshold >= THRESHOLD_MIN[which]) return found
      const member = set === undefined ? `${which}Id` : `${which}Params.threshold`
      throw refuse.field(member, `a threshold of at least ${THRESHOLD_MIN[which]}`)
    },
    /** What has to be kept, if it is not too much. */
    made: () => {
      const most = tvcLimits.of(context)
      checkQuota(tvcOperators.of(organization).size + operators.length, most.tvcOperators, 'TVC operators')
      checkQuota(tvcOperatorSets.of(organization).size + sets.length, most.tvcOperatorSets, 'TVC operator sets')
      return { operators, operatorSets: sets }
    },
  }
}

/** One key under two names would count twice towards the threshold. QuorumOS refuses such sets, too. */
const checkDistinct = (which: Which, members: readonly NewTvcOperator[]): void => {
  const keys = [
    members.map(({ name }) => name),
    members.map(({ publicKey }) => encryptKeyOf(publicKey)),
    members.map(({ publicKey }) => signKeyOf(publicKey)),
  ]
  if (keys.some((list) => new Set(list).size < list.length))
    throw refuse.field(`${which}Params.newOperators`, 'operators of whom no two have the same name or a key in common')
}

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((id) => others.includes(id))
