import { appendCases } from './append-cases.ts'
import { checkCases } from './check-cases.ts'
import type { ContractCase } from './contract.ts'
import { followingCases } from './following-cases.ts'
import { idempotencyCases } from './idempotency-cases.ts'
import { leasesCases } from './leases-cases.ts'
import { lifecycleCases } from './lifecycle-cases.ts'
import { partsCases } from './parts-cases.ts'
import { projectingCases } from './projecting-cases.ts'
import { readingCases } from './reading-cases.ts'
import { readModelsCases } from './read-models-cases.ts'
import { sealedRowsCases } from './sealed-rows-cases.ts'
import { severalWritersCases } from './several-writers-cases.ts'
import { standingCases } from './standing-cases.ts'
import { contractCase } from './store-case.ts'
import type { StoreCase, StoreUnderTest } from './store-case.ts'

/**
 * The promises of every `EventStore`, as cases for any test runner. Each case opens a store of its own, so they can run in any order.
 *
 * @example
 * for (const { number, name, run } of storeContract(myStore)) test(`${number} ${name}`, run)
 */
export const storeContract = (under: StoreUnderTest): readonly ContractCase[] =>
  inOrder([
    ...appendCases,
    ...checkCases,
    ...idempotencyCases,
    ...readingCases,
    ...partsCases,
    ...followingCases,
    ...projectingCases,
    ...lifecycleCases,
    ...standingCases,
    ...severalWritersCases,
  ]).map((storeCase) => contractCase(under, storeCase))

/** The promises of every `ReadModels`, in the same form. */
export const readModelsContract = (under: StoreUnderTest): readonly ContractCase[] =>
  readModelsCases.map((storeCase) => contractCase(under, storeCase))

/** The promises of every `Leases`, in the same form. They are left out unless the store under test has `leases`. */
export const leasesContract = (under: StoreUnderTest): readonly ContractCase[] =>
  leasesCases.map((storeCase) => contractCase(under, storeCase))

/** The promises of every `SealedRows`, in the same form. They are left out unless the store under test has `sealed`. */
export const sealedRowsContract = (under: StoreUnderTest): readonly ContractCase[] =>
  sealedRowsCases.map((storeCase) => contractCase(under, storeCase))

const inOrder = (cases: readonly StoreCase[]): readonly StoreCase[] =>
  cases.toSorted((a, b) => Number.parseInt(a.number) - Number.parseInt(b.number) || (a.number < b.number ? -1 : 1))
