/**
 * Makes the golden log anew with the code as it stands: an export of a history in which everything happens, and the hashes of what it
 * replays to. Run it when the form of events or the outcome of decisions changes on purpose.
 */
import { writeFileSync } from 'node:fs'
import { createEngine } from '../../../core/create-engine.ts'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { audited, exported } from '../../core/audit/logs.ts'
import { testPorts } from '../../core/world/ports.ts'
import { withHost } from '../../core/world/with-host.ts'
import { answersOf, FACTS, GOLDEN, hashIn, stateOf, type Facts } from './golden.ts'
import { LIMITS, makeHistory } from './history.ts'
import { hostOperations } from './host-operations.ts'

const operations = hostOperations({ answers: [] })
const { storage, clock, roots } = await makeHistory()
const text = await exported(storage.store)
const { counts, findings } = await audited(text, { limits: [{ limits: {} }, { limits: LIMITS }] }, operations)
if (findings.length > 0) {
  const found = findings.map(({ line, code, message }) => `line ${line}: ${code}: ${message}`)
  throw new Error(`the audit of the new log finds: ${found.join('\n')}`)
}
const engine = await createEngine({
  store: storage,
  clock,
  ...testPorts(),
  ids: nodeIds({ clock }),
  resources: withHost([...operations]),
})
const states: { [organizationId: string]: string } = {}
const answers: { [organizationId: string]: string } = {}
for (const { organizationId, key } of roots) {
  states[organizationId] = hashIn(await stateOf(engine, organizationId))
  answers[organizationId] = hashIn(await answersOf(engine, storage.store, organizationId, key))
}
await engine.close()
const { activities, stamps, decisions, executions, erased } = counts
const facts: Facts = {
  roots: roots.map(({ organizationId, key }) => ({ organizationId, privateKey: key.privateKey })),
  audit: { activities, stamps, decisions, executions, erased },
  states,
  answers,
}
writeFileSync(GOLDEN, text)
writeFileSync(FACTS, `${JSON.stringify(facts, undefined, 2)}\n`)
console.log(`${counts.events} events, ${text.length} bytes: ${JSON.stringify(facts.audit)}`)
