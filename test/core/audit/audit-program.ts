/** Audits the export that its argument names, and prints what it counted. Run by `memory.test.ts` with little memory. */
import { createReadStream } from 'node:fs'
import { auditLog } from '../../../adapters/audit/index.ts'
import { publicApi } from '../../../core/operations/public-api.ts'
import { right } from '../../world.ts'
import { keepText } from './large-requests.ts'

const file = process.argv[2] ?? ''
const operations = [...publicApi, keepText]
const { counts, findings } = right(await auditLog(createReadStream(file), { operations })())
console.log(JSON.stringify({ decisions: counts.decisions, executions: counts.executions, findings: findings.length }))
