import { refuse } from '../definition/refuse.ts'

/** Refuses more things than the organization may have. */
export const checkQuota = (count: number, countMax: number, what: string): void => {
  if (count > countMax) throw refuse.overQuota(countMax, what)
}
