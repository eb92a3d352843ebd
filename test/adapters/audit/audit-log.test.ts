import { publicOperations, withHost } from '../../core/world/with-host.ts'
import { createReadStream, writeFileSync } from 'node:fs'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createGunzip, gzipSync } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { auditedLog, exportedLog } from '../../../adapters/audit/audit-log.ts'
import type { AuditReportJson } from '../../../core/audit/report-json.ts'
import * as t from '../../../core/codec/t.ts'
import { operation } from '../../../core/definition/operation.ts'
import { port } from '../../../core/definition/port.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { E } from '../../../core/prelude.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { codeOf, right, world } from '../../core/world/world.ts'

const it = suite('auditLog')

const exported = async (): Promise<{ readonly chunks: Uint8Array[]; readonly organizationId: string }> => {
  const { storage, enrol, close, organizationId } = await world()
  await enrol('ada')
  const chunks: Uint8Array[] = []
  for await (const chunk of exportedLog(storage.store, { pageEvents: 1 })) chunks.push(right(chunk))
  await close()
  return { chunks, organizationId }
}

it('finds nothing in what was exported', async () => {
  const { chunks } = await exported()
  const { counts, findings } = right(await auditedLog(chunks)())
  assert.equal([counts.stamps, counts.executions, findings], [2, 2, []])
})

it('compares the beginning with a pin', async () => {
  const { chunks, organizationId } = await exported()
  const [organization] = right(await auditedLog(chunks)()).organizations
  const pinned = async (hash: string) =>
    right(await auditedLog(chunks, { pins: new Map([[organizationId, hash]]) })()).findings
  assert.equal(await pinned(organization?.genesis ?? ''), [])
  assert.equal(
    (await pinned('0'.repeat(64))).map(({ code }) => code),
    ['GENESIS_DIFFERS'],
  )
})

it('gives a report that can be written as JSON, with sequences as text', async () => {
  const { chunks, organizationId } = await exported()
  const report = right(
    await auditedLog(chunks, { heads: [{ organization: organizationId, sequence: 9n, hash: '' }] })(),
  )
  const written = JSON.parse(JSON.stringify(report)) as Partial<AuditReportJson>
  assert.equal(written.counts, report.counts)
  assert.equal(written.compared, { organizations: 1, withPin: 0, withHead: 0, withNeither: 1 })
  assert.equal(
    [written.organizations, written.findings].map((list) => list?.map(({ sequence }) => sequence)),
    [['4'], ['9']],
  )
})

it('judges no operation that it is not told of', async () => {
  const { chunks } = await exported()
  const { findings } = right(await auditedLog(chunks, { resources: [] })())
  assert.ok(findings.some(({ code }) => code === 'OPERATION_UNKNOWN'))
})

it('gives operations of a host the services that `inspect` needs', async () => {
  const counting = operation({
    type: 'ACTIVITY_TYPE_COUNT',
    path: 'count',
    summary: 'Counts.',
    intent: t.fields({}),
    result: t.fields({ count: t.number }),
    change: t.fields({}),
    inspectNeeds: { counter: port<{ readonly count: number }>() },
    inspect: (_, { ports }) => ports.counter.count,
    execute: (_, { inspected }) => ({ result: { count: inspected }, change: {} }),
    evolve: () => undefined,
  })
  const [resources, ports] = [withHost([counting]), { counter: { count: 3 } }]
  const { storage, done, root, close } = await world({ resources, ports })
  await done(root, 'count', {})
  const chunks: Uint8Array[] = []
  for await (const chunk of exportedLog(storage.store)) chunks.push(right(chunk))
  await close()
  const counted = async (given?: typeof ports) =>
    right(await auditedLog(chunks, { resources, ...(given && { ports: given }) })())
  assert.is((await counted()).counts.believed, 2)
  assert.is((await counted(ports)).counts.believed, 0)
  assert.equal(
    (await counted({ counter: { count: 4 } })).findings.map(({ code }) => code),
    ['EXECUTION_DIFFERS'],
  )
})

it('says that two operations have one name', async () =>
  assert.is(
    codeOf(await auditedLog([], { resources: withHost(publicOperations.map((one) => ({ ...one }))) })()),
    'CONFIGURATION_INVALID',
  ))

/** A log that the network brings, which breaks off in its middle. */
const fromServer = async (log: Uint8Array): Promise<IncomingMessage> => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-length': log.length })
    response.write(log.subarray(0, 2000), () => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens, and not on a pipe
  const answer = await new Promise<IncomingMessage>((resolve) => get(`http://127.0.0.1:${port}`, resolve))
  server.close()
  return answer
}

it('fails where its source breaks off, and says nothing about the log', async () => {
  const log = Buffer.concat((await exported()).chunks)
  const folder = await temporaryFolder()
  const compressed = join(folder.path, 'log.gz')
  writeFileSync(compressed, gzipSync(log).subarray(0, -100))
  const sources = {
    EISDIR: () => createReadStream(folder.path),
    Z_BUF_ERROR: () => createReadStream(compressed).pipe(createGunzip()),
    ECONNRESET: () => fromServer(log),
  }
  for (const [code, source] of Object.entries(sources)) {
    const audited = await auditedLog(await source())()
    assert.is(codeOf(audited), 'UNAVAILABLE', code)
    assert.match(E.isLeft(audited) ? audited.left.message : '', `the text could not be read to its end (${code}): `)
  }
  await folder.remove()
})

it('finds that the closing line is missing where the text was read to its end', async () => {
  const log = Buffer.concat((await exported()).chunks)
  const folder = await temporaryFolder()
  writeFileSync(join(folder.path, 'cut.jsonl'), log.subarray(0, -100))
  const { findings } = right(await auditedLog(createReadStream(join(folder.path, 'cut.jsonl')))())
  assert.equal(
    findings.map(({ code }) => code),
    ['CLOSING_MISSING'],
  )
  await folder.remove()
})

it('passes the failure of a store on', async () => {
  const { store } = memoryStore()
  const broken = {
    ...store,
    lastPosition: () => async () => ({ _tag: 'Left', left: { code: 'UNAVAILABLE', message: '' } }) as const,
  }
  const codes: string[] = []
  for await (const chunk of exportedLog(broken)) codes.push(codeOf(chunk))
  assert.equal(codes, ['UNAVAILABLE'])
})

it.run()
