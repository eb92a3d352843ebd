/**
 * For tests, with any test runner: an office for the operations of a host, and the contracts of the ports for authors of adapters.
 *
 * @module
 */
export { office, type Office, type OfficeOptions, type Person } from './office/office.ts'
export { atEveryCrash } from './office/crashes.ts'
/* The contracts: plain cases. */
export { contractTable, resultOf } from './contract.ts'
export type { ContractCase, ContractResult } from './contract.ts'
export { leasesContract, readModelsContract, sealedRowsContract, storeContract } from './store-contract.ts'
export type { HostTransaction, OpenedStore, StoreUnderTest } from './store-case.ts'
export type { Identity, Operation, Steps } from '../../core/definition/operation.ts'
export type { Outcome as WrittenOutcome, PersonalMembers } from '../../core/definition/personal-members.ts'
export type { PartBytes } from '../../core/log/event.ts'
