import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { PROGRAM } from '../../transaction/anchor-idls.ts'
import { audited, exported } from '../../audit/logs.ts'
import { world } from '../../world/world.ts'
import { membersOf, namedIn } from './named-members.ts'
import { anyKeys, makeSigningKeys, type SigningKeys } from './signing-keys.ts'
import { solanaRows } from './solana-rows.ts'
import { ABI, CONTRACT, IDL, interfaceFor, outcomeOf, underPolicy } from './transaction-requests.ts'
import { bitcoinRows, ethereumRows, keyRows, payloadRows, tempoRows, type Row } from './transaction-rows.ts'
import { tronRows } from './tron-rows.ts'

const it = suite('policies on transactions')

/** What policies decide of all chains, typed data, authorizations and keys. */
const rowsOf = (keys: SigningKeys): readonly Row[] =>
  [ethereumRows, payloadRows, keyRows, solanaRows, tronRows, bitcoinRows, tempoRows].flatMap((rows) => rows(keys))

it('allow and deny by each member, and an audit of the log comes to the same', async () => {
  const w = await world()
  const ada = await w.enrol('ada')
  const keys = await makeSigningKeys(w)
  await w.done(w.root, ...interfaceFor(CONTRACT, ABI))
  await w.done(w.root, ...interfaceFor(PROGRAM, IDL, 'solana'))
  const rows = rowsOf(keys)
  for (const [condition, allowed, denied] of rows)
    await underPolicy(w, ada, condition, async () => {
      assert.is(await outcomeOf(w, ada, allowed), 'no failure', condition)
      assert.is(await outcomeOf(w, ada, denied), 'REQUEST_NOT_AUTHORIZED', condition)
    })
  const { counts, findings } = await audited(await exported(w.storage.store))
  assert.equal(findings, [])
  // Each row is a policy that is made and deleted, a signature, and a request that is denied.
  for (const count of [counts.activities, counts.stamps, counts.decisions]) assert.ok(count > 4 * rows.length)
  assert.ok(counts.executions > 3 * rows.length)
  assert.is(counts.believed, 0)
  await w.close()
})

it('are tried with every member that the language has', () => {
  const named = namedIn(rowsOf(anyKeys).map(([condition]) => condition))
  const members = [
    ...membersOf('bitcoin', 'eth', 'solana', 'tron', 'tempo', 'wallet', 'wallet_account', 'private_key'),
    'Activity.params',
    'Params.type',
  ]
  assert.ok(members.length > 100)
  assert.equal(
    members.filter((member) => !named.has(member)),
    [],
  )
})

it.run()
