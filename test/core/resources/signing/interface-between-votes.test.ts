import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ActivityView } from '../../../../core/view/activity-view.ts'
import { audited, exported } from '../../audit/logs.ts'
import { transferOf } from '../../transaction/ethereum-calls.ts'
import { codeOf, right, type Person, type Place, type World } from '../../world/world.ts'
import { childOf, family } from '../sub-organization/children.ts'
import { makeKeys, privateKey } from '../wallet/wallet-world.ts'
import { ABI, CONTRACT, ethereumHex, interfaceFor, signing, type Asked } from './transaction-requests.ts'

const it = suite('interfaces of contracts between two votes')

type Members = { readonly w: World; readonly ada: Person; readonly grace: Person; readonly asked: Asked }

/** A key that nobody uses alone, and a transfer that Ada asks for. */
const begun = async (): Promise<Members> => {
  const w = await family()
  const [ada, grace] = [await w.enrol('ada'), await w.enrol('grace')]
  return { w, ada, grace, asked: await transferIn(w) }
}

const transferIn = async (w: Place): Promise<Asked> => {
  const [key] = await makeKeys(w, privateKey('key'))
  const hex = ethereumHex({ data: transferOf(5) })
  return signing(key?.privateKeyId ?? '', 'TRANSACTION_TYPE_ETHEREUM', hex)
}

const allow = (w: Place, condition: string, consensus: string) =>
  w.done(w.root, 'create_policy', {
    policyName: condition,
    effect: 'EFFECT_ALLOW',
    condition,
    consensus,
    notes: '',
  })

const IS_TRANSFER = "eth.tx.function_name == 'transfer'"

const create = async (w: Place): Promise<string> => {
  const { result } = await w.done(w.root, ...interfaceFor(CONTRACT, ABI))
  return (Object.values(result)[0] as { readonly smartContractInterfaceId: string }).smartContractInterfaceId // as defined
}

/** What has become of an activity, as the organization shows it. */
const statusOf = async (w: Place, { id: activityId }: ActivityView): Promise<unknown> => {
  const { activity } = await w.answer(w.root, 'get_activity', { activityId })
  return (activity as { readonly status: string }).status // as the query defines it
}

/** An audit decides each vote again, with the interfaces of that moment. */
const assertAudited = async (w: World): Promise<void> => {
  const { counts, findings } = await audited(await exported(w.storage.store))
  assert.equal(findings, [])
  assert.ok(counts.decisions > 5 && counts.executions > 5)
  assert.is(counts.believed, 0)
}

it('is decided without an interface that was deleted', async () => {
  const { w, ada, grace, asked } = await begun()
  const smartContractInterfaceId = await create(w)
  await allow(w, IS_TRANSFER, 'approvers.count() >= 2')
  const kept = await w.done(ada, ...asked)
  const waiting = await w.done(ada, ...asked)
  for (const { status } of [kept, waiting]) assert.is(status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  assert.is(right(await w.approve(grace, kept)).status, 'ACTIVITY_STATUS_COMPLETED')
  await w.done(w.root, 'delete_smart_contract_interface', { smartContractInterfaceId })
  // No rule without the interface lets her vote: the two who would be enough are not.
  const before = await exported(w.storage.store)
  assert.is(codeOf(await w.approve(grace, waiting)), 'REQUEST_NOT_AUTHORIZED')
  assert.is(await exported(w.storage.store), before)
  assert.is(await statusOf(w, waiting), 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  await create(w)
  assert.is(right(await w.approve(grace, waiting)).status, 'ACTIVITY_STATUS_COMPLETED')
  await assertAudited(w)
  await w.close()
})

it('is decided at a vote that counts without an interface that was deleted', async () => {
  const { w, ada, grace, asked } = await begun()
  const lin = await w.enrol('lin')
  const smartContractInterfaceId = await create(w)
  await allow(w, IS_TRANSFER, 'approvers.count() >= 2')
  await allow(w, `eth.tx.to == '${CONTRACT}'`, 'approvers.count() >= 4')
  const waiting = await w.done(ada, ...asked)
  await w.done(w.root, 'delete_smart_contract_interface', { smartContractInterfaceId })
  assert.is(right(await w.approve(grace, waiting)).status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  await assertAudited(w)
  await create(w)
  // The interface alone decides nothing: the next vote does.
  assert.is(await statusOf(w, waiting), 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  assert.is(right(await w.approve(lin, waiting)).status, 'ACTIVITY_STATUS_COMPLETED')
  await assertAudited(w)
  await w.close()
})

it('is decided with an interface that was created', async () => {
  const { w, ada, grace, asked } = await begun()
  await allow(w, IS_TRANSFER, 'approvers.count() >= 2')
  // It lets the request wait while no member has a name.
  await allow(w, `eth.tx.to == '${CONTRACT}'`, 'approvers.count() >= 3')
  const waiting = await w.done(ada, ...asked)
  assert.is(waiting.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  const other = await w.done(ada, ...asked)
  assert.is(right(await w.approve(grace, other)).status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  await create(w)
  const { status, result } = right(await w.approve(grace, waiting))
  assert.is(status, 'ACTIVITY_STATUS_COMPLETED')
  assert.ok(result['signTransactionResult'])
  assert.is(await statusOf(w, other), 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  await assertAudited(w)
  await w.close()
})

it('is decided in an organization without the interfaces of its parent', async () => {
  const w = await family()
  await create(w)
  const child = await childOf(w)
  const [ada, asked] = [await child.enrol('ada'), await transferIn(child)]
  await allow(child, IS_TRANSFER, `approvers.any(user, user.id == '${ada.userId}')`)
  assert.is(codeOf(await child.submit(ada, ...asked)), 'REQUEST_NOT_AUTHORIZED')
  assert.equal((await child.answer(child.root, 'list_smart_contract_interfaces'))['smartContractInterfaces'], [])
  await create(child)
  assert.is(right(await child.submit(ada, ...asked)).status, 'ACTIVITY_STATUS_COMPLETED')
  await assertAudited(w)
  await w.close()
})

it.run()
