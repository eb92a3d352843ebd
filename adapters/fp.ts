/**
 * The engine with tasks of fp-ts in place of promises: call a task to run it; its outcome is a `Right` with the value, or a `Left` with
 * the failure. `countersign` has everything else.
 *
 * @module
 */
export { createEngineOfTasksOnNode as createEngine } from './node-engine.ts'
export { openEventStoreDbStore as eventStoreDbStore } from './store-eventstoredb/open.ts'
export { openPostgresStore as postgresStore } from './store-postgres/open.ts'
export { openSqliteStore as sqliteStore } from './store-sqlite/open.ts'
export { openPostgresReadModels as postgresReadModels } from './store-postgres/open-read-models.ts'
export { openSqliteReadModels as sqliteReadModels } from './store-sqlite/open-read-models.ts'
export { auditedLog as auditLog, exportedLog as exportLog } from './audit/audit-log.ts'
export { tasksOf } from '../core/door/promised-engine.ts'
export { valueOf } from '../core/definition/refuse.ts'
export type { Engine } from '../core/engine.ts'
export { E, flow, O, pipe, TE, type Either, type TaskEither } from '../core/prelude.ts'
