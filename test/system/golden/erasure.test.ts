import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { stampedRequest } from '../../../adapters/signatures/stamped-request.ts'
import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { decodeUtf8, encodeUtf8 } from '../../../core/bytes.ts'
import { copyLog } from '../../../core/log/copy-log.ts'
import type { Json } from '../../../core/failure.ts'
import type { Recorded } from '../../../core/ports/event-store.ts'
import { decodeEvent } from '../../../core/log/event.ts'
import { quorum } from '../../../core/organization/quorum.ts'
import { users } from '../../../core/organization/users.ts'
import { erasure, eraseUser } from '../../../core/resources/erasure/erasure.ts'
import { audited, exported } from '../../core/audit/logs.ts'
import { right } from '../../core/world/world.ts'
import { goldenLogs, keyOf } from './golden.ts'
import { hostOperations } from './host-operations.ts'
import { LIMITS } from './history.ts'
import { engineOn, imported, NOW } from './on-golden.ts'

const it = suite('the erasure of a person whose data is older than parts')

const operations = hostOperations({ answers: [] })
const limits = [{ limits: {} }, { limits: LIMITS }]

for (const golden of goldenLogs())
  it(`completes, erases the requests that hold the data, and counts the lines that cannot be erased: ${golden.name}`, async () => {
    const storage = memoryStore()
    await imported(golden, storage)
    const engine = await engineOn(storage, operations, erasure)
    const organizationId = golden.facts.roots[0]?.organizationId ?? ''
    const key = keyOf(golden.facts, organizationId)
    const submit = async (path: string, type: string, parameters: { readonly [member: string]: Json }) => {
      const body = { type, timestampMs: String(Date.parse(NOW)), organizationId, parameters }
      return right(await engine.submit(path, stampedRequest(key, body))())
    }
    const { state } = right(await engine.replayOrganization(organizationId)())
    const user = [...users.of(state).values()].find(({ userId }) => !quorum.of(state).userIds.includes(userId))
    if (user === undefined) throw new Error('nobody can be deleted')
    const { userId } = user
    const before = right(await storage.store.readLog(organizationId, 0n, 10_000)())
    await submit('delete_users', 'ACTIVITY_TYPE_DELETE_USERS', { userIds: [userId] })
    const { result } = await submit('erase_user', eraseUser.type, { userId })
    const { erasedParts, notErasable } = result['eraseUserResult'] as { erasedParts: number; notErasable: number }
    const isOlder = right(decodeEvent(before[0]?.line ?? new Uint8Array())).version === 1
    assert.is(notErasable > 0, isOlder)
    assert.ok(erasedParts > 0)

    const after = right(await storage.store.readLog(organizationId, 0n, 10_000)())
    const gone = before.filter(({ parts }, n) => parts.length > (after[n]?.parts.length ?? 0))
    const countOf = (all: readonly Recorded[]) => all.reduce((sum, { parts }) => sum + parts.length, 0)
    assert.is(countOf(before) - countOf(after.slice(0, before.length)), erasedParts)
    // Only the requests of activities that changed the user, and none that the user only made.
    for (const { activity, parts, line } of gone) {
      if (isOlder)
        assert.equal(
          parts.map(({ name }) => name),
          ['request'],
        )
      const conclusion = before.findLast((one) => one.activity === activity)
      const saying = isOlder ? conclusion?.line : line // what says whose data it is
      assert.ok(decodeUtf8(saying ?? new Uint8Array())?.includes(userId))
    }
    const text = await exported(storage.store)
    const byHandMax = golden.facts.audit.erased
    assert.equal((await audited(text, { limits, byHandMax }, [...operations, eraseUser])).findings, [])
    const [copy, restored] = [memoryStore(), memoryStore()]
    const ports = { digest: nodeDigest(), ids: nodeIds() }
    right(await copyLog({ ...ports, from: storage.store, to: copy.store })())
    assert.is(await exported(copy.store), text)
    await imported({ text: encodeUtf8(text) }, restored)
    assert.is(await exported(restored.store), text)
    await engine.close()
  })

it.run()
