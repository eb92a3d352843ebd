import { withHost } from '../world/with-host.ts'
/** Audits the export that its argument names, and prints what it counted. Run by `memory.test.ts` with little memory. */
import { createReadStream } from 'node:fs'
import { auditedLog } from '../../../adapters/audit/audit-log.ts'
import { right } from '../world/world.ts'
import { keepText } from './large-requests.ts'

const file = process.argv[2] ?? ''
const resources = withHost([keepText])
const { counts, findings } = right(await auditedLog(createReadStream(file), { resources })())
console.log(JSON.stringify({ decisions: counts.decisions, executions: counts.executions, findings: findings.length }))
