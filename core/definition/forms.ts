import type { OperationSpec } from './operation-spec.ts'

/** The functions that can differ between the revisions of an operation. */
type Revised =
  | 'inspect'
  | 'nothingToInspect'
  | 'reads'
  | 'params'
  | 'facts'
  | 'isOwnCredentials'
  | 'credentialsLiveMs'
  | 'subjects'
  | 'check'
  | 'nothingToPerform'
  | 'verify'
  | 'execute'
  | 'evolve'

/** The functions of an earlier revision. If one is missing, the function of the next later revision holds. */
export type EarlierForm<I, R, C, P, J = undefined, K = I> = Partial<Pick<OperationSpec<I, R, C, P, J, K>, Revised>>

/** Earlier forms by revision. */
export type EarlierForms<I, R, C, P, J = undefined, K = I> = {
  readonly [revision: number]: EarlierForm<I, R, C, P, J, K>
}

/**
 * The definition at each earlier revision that it still has, from the newest to the oldest.
 *
 * @throws if a revision is no whole number from 1 on, or if an earlier revision is not lower than the present one
 */
export const earlierFormsOf = <S extends Revisable>(spec: S): ReadonlyMap<number, S> => {
  const { type, revision = 1, earlier = {} } = spec
  if (!isRevision(revision)) throw new Error(`the revision of ${type} must be a whole number from 1 on`)
  const revisions = Object.keys(earlier).map(Number)
  if (!revisions.every((one) => isRevision(one) && one < revision))
    throw new Error(`the earlier forms of ${type} must be of revisions from 1 to ${revision - 1}`)
  const back = revisions.toSorted((a, b) => b - a)
  const formAt = (index: number): S =>
    index < 0 ? spec : { ...formAt(index - 1), ...earlier[back[index] ?? revision] }
  return new Map(back.map((one, index) => [one, formAt(index)]))
}

/** The members of a definition that are needed to find its forms. */
type Revisable = {
  readonly type: string
  readonly revision?: number
  readonly earlier?: { readonly [revision: number]: object }
}

const isRevision = (value: number): boolean => Number.isSafeInteger(value) && value >= 1

/** The forms of an operation, found by revision. */
export type Forms<A> = {
  /** The form of exactly this revision; `undefined` if this version of the code does not have it any more, or not yet. */
  readonly formOf: (revision: number) => A | undefined
  /** The form of this revision, or of the next later known one: replay uses it. `undefined` for a newer revision than the present one. */
  readonly formFrom: (revision: number) => A | undefined
}

/** @param forms  by revision, from the present one to the oldest; may be filled after this call */
export const formsBy = <A>(forms: ReadonlyMap<number, A>): Forms<A> => ({
  formOf: (revision) => forms.get(revision),
  formFrom: (revision) => {
    let found: A | undefined
    for (const [one, form] of forms) {
      if (one < revision) break
      found = form
    }
    return found
  },
})
