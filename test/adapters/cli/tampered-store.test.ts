import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { exportLog } from '../../../adapters/cli/export.ts'
import { importLog } from '../../../adapters/cli/import.ts'
import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import { openSqliteStore } from '../../../adapters/store-sqlite/open.ts'
import { right } from '../../../adapters/testing/expect.ts'
import { encodeUtf8 } from '../../../core/bytes.ts'
import type { Engine } from '../../../core/engine.ts'
import type { Json } from '../../../core/failure.ts'
import { hashOf } from '../../../core/log/chain.ts'
import { eventful, neighbour, trio, type Trio } from '../../core/audit/logs.ts'
import { activityRows } from '../../core/world/activity-rows.ts'
import { codeOf, stamped, type Signer } from '../../core/world/world.ts'
import { folder, run } from './run-cli.ts'
import { audited, bySql, changedCopy, engineOn, type Audited } from './tampered-store.ts'

const it = suite('a store that was changed by SQL')

const cwd = folder()
const store = join(cwd, 'store.db')
let made: Trio
let theirs = ''
let before: Audited

it.before(async () => {
  made = await trio({ store: await right(openSqliteStore({ path: store })), snapshotEvery: 10 })
  await eventful(made)
  theirs = await neighbour(made)
  await made.enrol('last')
  await made.close()
  before = await audited(store)
})

/** The position of our organization's event with this sequence; the other organization's events are 38 and 39. */
const ours = (sequence: number): string =>
  `(SELECT position FROM events WHERE organization = 1 AND sequence = ${sequence})`
const inLine = (sequence: number, text: string, instead: string): string =>
  `UPDATE events SET line = CAST(replace(CAST(line AS TEXT), ${text}, ${instead}) AS BLOB)
   WHERE organization = 1 AND sequence = ${sequence};`
const activityOf = (sequence: number): string => `(SELECT activity FROM events WHERE position = ${ours(sequence)})`
/** With their parts. */
const exchanged = (one: number, other: number): string => `
  UPDATE parts SET position = ${one + other} - position WHERE position IN (${one}, ${other});
  UPDATE events SET position = -position WHERE position IN (${one}, ${other});
  UPDATE events SET position = ${one + other} + position WHERE position < 0;`

type Change = readonly [what: string, sql: string, findings: readonly string[], erased?: number]

/** What the lines and parts themselves contradict. */
const found: readonly Change[] = [
  [
    "a byte of an event's line",
    inLine(11, "'approved'", "'approveD'"),
    ['EXECUTION_DIFFERS 11', 'CHAIN_BROKEN 12', 'SNAPSHOT_DIFFERS 32'],
  ],
  [
    'a byte of a stamped request',
    `UPDATE parts SET bytes = CAST(replace(CAST(bytes AS TEXT), 'approved', 'approveD') AS BLOB) WHERE position = ${ours(9)}`,
    ['PART_DIFFERS 9'],
  ],
  [
    "two requests in each other's place",
    `UPDATE parts SET position = ${ours(9)} + ${ours(12)} - position WHERE position IN (${ours(9)}, ${ours(12)})`,
    ['PART_DIFFERS 9', 'PART_DIFFERS 12'],
  ],
  [
    'the request of a vote under a vote on another activity',
    `DELETE FROM parts WHERE position = ${ours(19)};
     UPDATE parts SET position = ${ours(19)} WHERE position = ${ours(10)}`,
    ['PART_ERASED 10', 'PART_DIFFERS 19'],
    1,
  ],
  ['a request taken away', `DELETE FROM parts WHERE position = ${ours(10)}`, ['PART_ERASED 10'], 1],
  [
    'a vote said to be on another activity',
    inLine(10, activityOf(10), activityOf(16)),
    [
      ...['REVISION_BROKEN 10', 'STATUS_IMPOSSIBLE 10', 'REQUEST_DIFFERS 10'],
      ...['CHAIN_BROKEN 11', 'REVISION_BROKEN 11', 'STATUS_IMPOSSIBLE 11', 'REVISION_BROKEN 16'],
    ],
  ],
  ['an event in the middle deleted', `DELETE FROM events WHERE position = ${ours(13)}`, ['SEQUENCE_BROKEN 14']],
  [
    "two events in each other's place",
    exchanged(12, 14),
    ['SEQUENCE_BROKEN 14', 'SEQUENCE_BROKEN 13', 'SEQUENCE_BROKEN 12', 'SEQUENCE_BROKEN 15'],
  ],
  [
    'a sequence in a line',
    inLine(14, `'"sequence":"14"'`, `'"sequence":"15"'`),
    ['SEQUENCE_BROKEN 15', 'SEQUENCE_BROKEN 15'],
  ],
]

for (const [what, sql, findings, erased = 0] of found) {
  it(`is found at its place: ${what}`, async () => {
    const copy = changedCopy(store, sql)
    const report = await audited(copy)
    assert.equal(
      report.findings,
      findings.map((finding) => finding.replace(' ', ` ${made.organizationId} `)),
    )
    assert.is(report.erased, erased)
    assert.equal(await engineOn(copy, made.clock, statusOf), WELL, 'the engine believes its store')
  })
}

const WELL = ['no failure', 'no failure']
const LOST = ['ORGANIZATION_NOT_FOUND', 'ORGANIZATION_NOT_FOUND']

/** What they do not, as the page on audits says; and how an engine answers a query and a submit then. */
const unseen: readonly (readonly [what: string, sql: string, answers: readonly string[]])[] = [
  ['nothing', '', WELL],
  ['events of two organizations in each other’s place', exchanged(37, 38), WELL],
  [
    'the sequences beside the lines',
    'UPDATE events SET sequence = sequence + 1000 WHERE sequence > 30',
    ['no failure', 'CONFLICT'],
  ],
  ['the activity beside a line', `UPDATE events SET activity = 'x' WHERE position = ${ours(10)}`, WELL],
  ['the organizations beside the lines', `UPDATE organizations SET id = 'x' WHERE key = 1`, LOST],
]

for (const [what, sql, answers] of unseen) {
  it(`leaves a log that holds, to the same heads, and that an import makes a whole store of: ${what}`, async () => {
    const copy = changedCopy(store, sql)
    const report = await audited(copy)
    assert.equal([report.findings, report.erased], [[], 0])
    assert.equal(report.heads, before.heads)
    const imported = await exportedAndImported(copy)
    assert.equal(await engineOn(imported, made.clock, statusOf), WELL)
    assert.equal(await engineOn(copy, made.clock, statusOf), answers)
  })
}

it('is found by a head or a pin alone: the end of a log, or all of it, is gone', async () => {
  const head = (organization: string) => ({ head: [before.heads.get(organization) ?? ''] })
  const pin = (organization: string) => ({ pin: [before.pins.get(organization) ?? ''] })
  const { organizationId } = made
  const last = ours(37)
  const gone = (where: string): string =>
    `DELETE FROM parts WHERE position IN (SELECT position FROM events WHERE ${where}); DELETE FROM events WHERE ${where}`
  const cut = gone(`position > ${last} AND organization = 1`)
  const cutOff = changedCopy(store, cut)
  assert.equal((await audited(cutOff, pin(organizationId))).findings, [])
  assert.equal((await audited(cutOff, head(organizationId))).findings, [`HEAD_DIFFERS ${organizationId} 39`])
  const [known = ''] = head(organizationId).head
  const said = await run(['audit', '--store', `sqlite:${cutOff}`, '--head', known], { cwd })
  assert.match(said.stdout, `${organizationId}  sequence 39  HEAD_DIFFERS`)
  assert.is(said.code, 1)

  const alone = changedCopy(store, gone('organization = 2'))
  const without = await audited(alone)
  assert.equal([without.findings, [...without.heads.keys()]], [[], [organizationId]])
  assert.equal((await audited(alone, head(theirs))).findings, [`HEAD_DIFFERS ${theirs} 2`])
  assert.equal((await audited(alone, pin(theirs))).findings, [`GENESIS_DIFFERS ${theirs} 2`])
})

it('is found at its place: an activity that nobody stamped, with every hash as it has to be', async () => {
  const copy = changedCopy(store, (db) => {
    const select = db.prepare('SELECT line FROM events WHERE position = ?')
    const lineAt = (position: number) => (select.get(position) as { readonly line: Buffer }).line // as selected
    const activity = nodeIds().uuid()
    let previous = hashOf(nodeDigest(), lineAt(41))
    for (const i of [0, 1]) {
      const id = nodeIds().uuid()
      const event = JSON.parse(lineAt(33 + i).toString()) as { readonly [member: string]: Json } // one of our log
      const changed = { ...event, sequence: String(40 + i), activity, id, previous, parts: {} }
      const line = encodeUtf8(JSON.stringify(changed).replace('by policy', 'by nobody'))
      previous = hashOf(nodeDigest(), line)
      db.prepare(
        'INSERT INTO events (position, organization, sequence, activity, revision, id, line) VALUES (?, 1, ?, ?, ?, ?, ?)',
      ).run([...[42 + i, 40 + i].map(BigInt), activity, BigInt(1 + i), id, line])
    }
  })
  assert.equal((await audited(copy)).findings, [
    `REQUEST_DIFFERS ${made.organizationId} 40`,
    `REQUEST_DIFFERS ${made.organizationId} 40`,
    `BASIS_DIFFERS ${made.organizationId} 40`,
  ])
})

it('makes lists lie, but neither the audit of the log nor a replay, and is found beside it: the standings of activities', async () => {
  const selected = bySql(store, (db) => db.prepare(`SELECT ${activityOf(9)} id`).get())
  const hidden = selected as { readonly id: string } // as selected
  const sql = `UPDATE events SET type = NULL WHERE activity = '${hidden.id}' AND revision = 1;
    UPDATE events SET status = 'ACTIVITY_STATUS_FAILED' WHERE position = ${ours(1)}`
  const [honest, changed] = [changedCopy(store), changedCopy(store, sql)]
  const all = await engineOn(honest, made.clock, listed)
  assert.ok(all.includes(hidden.id))
  assert.equal(
    await engineOn(changed, made.clock, listed),
    all.filter((id) => id !== hidden.id),
  )
  const { findings, heads, listed: wrong } = await audited(changed)
  assert.equal([findings, heads], [[], before.heads])
  assert.equal(
    wrong.map(({ activity, listed: as }) => [activity === hidden.id, as?.status]),
    [
      [false, 'ACTIVITY_STATUS_FAILED'],
      [true, undefined],
    ],
  )
  const said = await run(['audit', '--store', `sqlite:${changed}`], { cwd })
  assert.is(said.code, 1)
  assert.match(said.stdout, `${hidden.id}  listed as nothing, logged as ACTIVITY_TYPE_`)
  assert.match(said.stdout, '\n2 activities are listed otherwise than the log says')

  const rowsIn = (path: string) => engineOn(path, made.clock, (engine) => right(engine.replay(activityRows)))
  assert.equal(await rowsIn(changed), await rowsIn(honest))
  const printed = async (path: string) =>
    (await run(['replay', '--store', `sqlite:${path}`, '--organization', made.organizationId], { cwd })).stdout
  assert.is(await printed(changed), await printed(honest))
  assert.equal(await engineOn(await exportedAndImported(changed), made.clock, listed), all)
})

it('lists, where its lists have to be made again while it goes on under load, what an import of its export lists', async () => {
  const copy = changedCopy(store)
  bySql(copy, (db) => db.exec('UPDATE events SET type = NULL, status = NULL; UPDATE origin SET standings = 0'))
  const names = Array.from({ length: 40 }, (_, n) => `under load ${n}`)
  const all = await engineOn(copy, made.clock, async (engine) => {
    const submits = names.map((userTagName) =>
      engine.submit(
        'create_user_tag',
        stamped(made.root, made.body('create_user_tag', { userTagName, userIds: [] })),
      )(),
    )
    await Promise.all([...submits, listed(engine)])
    return listed(engine)
  })
  assert.equal((await audited(copy)).listed, [])
  const imported = await exportedAndImported(copy)
  assert.equal(await engineOn(imported, made.clock, listed), all)
  assert.equal((await audited(imported)).listed, [])
  const standings = (path: string) =>
    bySql(path, (db) => db.prepare('SELECT position, type, status FROM events ORDER BY position').all())
  assert.equal(standings(copy), standings(imported))
})

it('lets a thief in, but an audit finds it, as it finds his every event: a snapshot', async () => {
  const thief = { key: generateKey('API_KEY_CURVE_P256') }
  const [known, stolen] = [made.root, thief].map(({ key }) => key.publicKey)
  const sql = `UPDATE snapshot_parts SET bytes = CAST(replace(CAST(bytes AS TEXT), '${known}', '${stolen}') AS BLOB)`
  const copy = changedCopy(store, sql)
  const inSnapshot = `SNAPSHOT_DIFFERS ${made.organizationId} 32`
  assert.equal((await audited(copy)).findings, [inSnapshot])
  await engineOn(copy, made.clock, async (engine) => {
    assert.equal(
      [codeOf(await whoami(engine, thief)), codeOf(await whoami(engine, made.root))],
      ['no failure', 'PUBLIC_KEY_NOT_FOUND'],
    )
    const tag = made.body('create_user_tag', { userTagName: 'stolen', userIds: [] })
    assert.is(codeOf(await engine.submit('create_user_tag', stamped(thief, tag))()), 'no failure')
  })
  assert.equal((await audited(copy)).findings, [inSnapshot, `STAMP_INVALID ${made.organizationId} 40`])
  await engineOn(await exportedAndImported(store), made.clock, async (engine) => {
    assert.equal(
      [codeOf(await whoami(engine, thief)), codeOf(await whoami(engine, made.root))],
      ['PUBLIC_KEY_NOT_FOUND', 'no failure'],
    )
  })
})

const listed = async (engine: Engine): Promise<readonly string[]> => {
  const body = { organizationId: made.organizationId, paginationOptions: { limit: '100' } }
  const page = await right(engine.query('list_activities', stamped(made.root, encodeUtf8(JSON.stringify(body)))))
  return (page['activities'] as readonly { readonly id: string }[]).map(({ id }) => id) // what every list holds
}
const statusOf = async (engine: Engine): Promise<readonly string[]> => {
  const { body, root } = made
  const tag = body('create_user_tag', { userTagName: nodeIds().uuid(), userIds: [] })
  return [codeOf(await whoami(engine, root)), codeOf(await engine.submit('create_user_tag', stamped(root, tag))())]
}
const whoami = (engine: Engine, who: Signer) =>
  engine.query('whoami', stamped(who, encodeUtf8(JSON.stringify({ organizationId: made.organizationId }))))()

const exportedAndImported = async (path: string): Promise<string> => {
  const imported = join(cwd, `${nodeIds().uuid()}.db`)
  const log = join(cwd, 'log.jsonl')
  assert.is(await exportLog({ store: `sqlite:${path}`, out: log, force: true }), 0)
  assert.is(await importLog(log, { store: `sqlite:${imported}` }), 0)
  return imported
}

it.run()
