import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { auditLog, exportLog } from '../../../adapters/audit/index.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { codeOf, right, world } from '../../world.ts'
import { publicApi } from '../../../core/operations/public-api.ts'

const it = suite('auditLog')

const exported = async (): Promise<{ readonly chunks: Uint8Array[]; readonly organizationId: string }> => {
  const { storage, enrol, close, organizationId } = await world()
  await enrol('ada')
  const chunks: Uint8Array[] = []
  for await (const chunk of exportLog(storage.store, { pageEvents: 1 })) chunks.push(right(chunk))
  await close()
  return { chunks, organizationId }
}

it('finds nothing in what was exported', async () => {
  const { chunks } = await exported()
  const { counts, findings } = right(await auditLog(chunks)())
  assert.equal([counts.stamps, counts.executions, findings], [2, 2, []])
})

it('compares the beginning with a pin', async () => {
  const { chunks, organizationId } = await exported()
  const [organization] = right(await auditLog(chunks)()).organizations
  const pinned = async (hash: string) =>
    right(await auditLog(chunks, { pins: new Map([[organizationId, hash]]) })()).findings
  assert.equal(await pinned(organization?.genesis ?? ''), [])
  assert.equal(
    (await pinned('0'.repeat(64))).map(({ code }) => code),
    ['GENESIS_DIFFERS'],
  )
})

it('judges no operation that it is not told of', async () => {
  const { chunks } = await exported()
  const { findings } = right(await auditLog(chunks, { operations: [] })())
  assert.ok(findings.some(({ code }) => code === 'OPERATION_UNKNOWN'))
})

it('says that two operations have one name', async () =>
  assert.is(codeOf(await auditLog([], { operations: [...publicApi, ...publicApi] })()), 'CONFIGURATION_INVALID'))

it('passes the failure of a store on', async () => {
  const { store } = memoryStore()
  const broken = {
    ...store,
    lastPosition: () => async () => ({ _tag: 'Left', left: { code: 'UNAVAILABLE', message: '' } }) as const,
  }
  const codes: string[] = []
  for await (const chunk of exportLog(broken)) codes.push(codeOf(chunk))
  assert.equal(codes, ['UNAVAILABLE'])
})

it.run()
