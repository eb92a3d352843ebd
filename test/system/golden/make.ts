/**
 * Makes a golden log with the code as it stands: an export of a history in which everything happens, and what it replays
 * to. A golden log is made once for each form of events and each version of the rules, and never again.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createEngine } from '../../../core/create-engine.ts'
import type { Json } from '../../../core/failure.ts'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { audited, exported } from '../../core/audit/logs.ts'
import { testPorts } from '../../core/world/ports.ts'
import { withHost } from '../../core/world/with-host.ts'
import { answersOf, stateOf, type Facts } from './golden.ts'
import { LIMITS, makeHistory } from './history.ts'
import { hostOperations } from './host-operations.ts'

const HELP = `Usage: npm run golden -- <name> [--about <text>]

Writes test/system/golden/<name>/log.jsonl and facts.json. It refuses to write over a golden log that is there.

  name       what is new in this log, such as rules-2
  --about    a sentence for facts.json`

const main = async (): Promise<number> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h', default: false }, about: { type: 'string', default: '' } },
  })
  const [name] = positionals
  if (values.help || name === undefined || !/^[a-z0-9-]+$/.test(name)) {
    console.log(HELP)
    return values.help ? 0 : 1
  }
  const folder = new URL(`./${name}/`, import.meta.url)
  if (existsSync(folder)) {
    console.error(`There is a golden log ${name} already: a golden log never changes.`)
    return 1
  }
  await make(folder, values.about)
  return 0
}

const make = async (folder: URL, about: string): Promise<void> => {
  const operations = hostOperations({ answers: [] })
  const { storage, clock, roots } = await makeHistory()
  const text = await exported(storage.store)
  const { counts, findings } = await audited(text, { limits: [{ limits: {} }, { limits: LIMITS }] }, operations)
  if (findings.length > 0) throw new Error(`the audit of the new log finds: ${JSON.stringify(findings, String, 2)}`)
  const engine = await createEngine({
    store: storage,
    clock,
    ...testPorts(),
    ids: nodeIds({ clock }),
    resources: withHost([...operations]),
  })
  const states: { [organizationId: string]: Json } = {}
  const answers: { [organizationId: string]: Json } = {}
  for (const { organizationId, key } of roots) {
    states[organizationId] = await stateOf(engine, organizationId)
    answers[organizationId] = await answersOf(engine, storage.store, organizationId, key)
  }
  await engine.close()
  const { activities, stamps, decisions, executions, erased } = counts
  const facts: Facts = {
    about,
    roots: roots.map(({ organizationId, key }) => ({ organizationId, privateKey: key.privateKey })),
    audit: { activities, stamps, decisions, executions, erased },
    states,
    answers,
  }
  mkdirSync(folder)
  writeFileSync(new URL('log.jsonl', folder), text)
  writeFileSync(new URL('facts.json', folder), `${JSON.stringify(facts, undefined, 1)}\n`)
  console.log(`${counts.events} events, ${text.length} bytes: ${JSON.stringify(facts.audit)}`)
}

process.exitCode = await main()
