import * as t from '../../codec/t.ts'
import { state, type DeepReadonly, type Organization } from '../../organization/state.ts'
import { keeps, times } from '../records.ts'

const operator = { operatorId: t.string, name: t.string, publicKey: t.string }
export const NewTvcOperator = t.fields(operator)
export type NewTvcOperator = t.TypeOf<typeof NewTvcOperator>
const TvcOperator = t.fields({ ...operator, ...times })
export type TvcOperator = DeepReadonly<t.TypeOf<typeof TvcOperator>>

const operatorSet = { operatorSetId: t.string, name: t.string, operatorIds: t.array(t.string), threshold: t.number }
export const NewTvcOperatorSet = t.fields(operatorSet)
export type NewTvcOperatorSet = t.TypeOf<typeof NewTvcOperatorSet>
const TvcOperatorSet = t.fields({ ...operatorSet, ...times })
export type TvcOperatorSet = DeepReadonly<t.TypeOf<typeof TvcOperatorSet>>

/** Who may be a member of a set, by id. No operation changes or deletes an operator or a set: manifests that were approved name them. */
export const tvcOperators = state({
  name: 'tvc-operators',
  version: 1,
  codec: t.mapOf(TvcOperator),
  initial: () => new Map(),
})
export const keepTvcOperator = keeps<NewTvcOperator>(tvcOperators, (one) => one.operatorId)

/** The sets of operators, by id. Apps name two of them: who approves manifests, and who has shares of the quorum key. */
export const tvcOperatorSets = state({
  name: 'tvc-operator-sets',
  version: 1,
  codec: t.mapOf(TvcOperatorSet),
  initial: () => new Map(),
})
export const keepTvcOperatorSet = keeps<NewTvcOperatorSet>(tvcOperatorSets, (one) => one.operatorSetId)

type Row<A> = { readonly of: (organization: Organization) => ReadonlyMap<string, A> }

/** What another row names: it is there as long as that row is. */
export const named = <A>(rows: Row<A>, id: string, organization: Organization): A => {
  const row = rows.of(organization).get(id)
  if (row === undefined) throw new Error(`the state has lost ${id}`) // a bug of ours
  return row
}

export const operatorsOf = ({ operatorIds }: Pick<TvcOperatorSet, 'operatorIds'>, organization: Organization) =>
  operatorIds.map((operatorId) => named(tvcOperators, operatorId, organization))
