import { suite } from 'uvu'
import { findsInWholeStore } from '../../core/audit/whole-store.ts'
import { anySchema, openIn } from './any-schema.ts'
import { onPostgres } from './server/on-postgres.ts'

const it = suite('an audit of what whoever has the whole store can do, on PostgreSQL')

await onPostgres(it, (server) => findsInWholeStore(it, () => openIn(server, anySchema(), { erasure: 'rewrite' })))

it.run()
