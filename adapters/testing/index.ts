/** The contracts of the ports, for authors of adapters: plain cases that any test runner can run. */
export { contractTable, resultOf } from './contract.ts'
export type { ContractCase, ContractResult } from './contract.ts'
export { readModelsContract, storeContract } from './store-contract.ts'
export type { OpenedStore, StoreUnderTest } from './store-case.ts'
