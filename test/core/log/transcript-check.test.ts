import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { decodeUtf8, encodeUtf8 } from '../../../core/bytes.ts'
import { beforeFirst, link } from '../../../core/log/chain.ts'
import type { Finding } from '../../../core/log/finding.ts'
import { transcriptCheck, type Logged } from '../../../core/log/transcript-check.ts'
import { encodePartLine } from '../../../core/log/transcript-line.ts'
import { readTranscript } from '../../../core/log/transcript-reader.ts'
import { world } from '../world/world.ts'
import { closed, digest, exported, linesOf, neighbour } from '../audit/logs.ts'

const it = suite('check of a transcript')

/** Lines of an organization with four activities, and of another one behind its first. */
let lines: readonly string[] = []
it.before(async () => {
  const made = await world()
  await neighbour(made)
  for (const userTagName of ['one', 'two', 'three'])
    await made.done(made.root, 'create_user_tag', { userTagName, userIds: [] })
  lines = linesOf(await exported(made.storage.store))
  await made.close()
})

it('puts each event together with its parts, in order, and finds nothing', async () => {
  const { findings, logged } = await check(lines)
  assert.equal(findings, [])
  assert.equal(
    logged.map(({ line, event, parts, erased }) => [line, event.sequence, parts.length, erased.length]),
    [
      [1, 1n, 1, 0],
      [3, 2n, 1, 0],
      [5, 1n, 1, 0],
      [7, 2n, 1, 0],
      [9, 3n, 1, 0],
      [11, 4n, 0, 0],
      [12, 5n, 1, 0],
      [14, 6n, 0, 0],
      [15, 7n, 1, 0],
      [17, 8n, 0, 0],
    ],
  )
})

it('gives where each log ends', async () => {
  const { tips } = await check(lines)
  assert.equal(
    [...tips.values()].map(({ sequence }) => sequence),
    [8n, 2n],
  )
})

it('tells a part that was erased', async () => {
  const { findings, logged } = await check(lines.toSpliced(9, 1))
  assert.equal(findings, [])
  assert.equal(logged[4]?.erased, ['request'])
})

type Damage = readonly [
  name: string,
  change: (lines: readonly string[]) => readonly string[],
  found: readonly (readonly [number, string])[],
]

const damages: readonly Damage[] = [
  ['a line that says something else', (all) => replaced(all, 11, 'one', 'two'), [[12, 'CHAIN_BROKEN']]],
  [
    'another line before the first',
    (all) => replaced(all, 1, '"previous":"0', '"previous":"1'),
    [
      [1, 'CHAIN_BROKEN'],
      [3, 'CHAIN_BROKEN'],
    ],
  ],
  ['an event that is missing', (all) => all.toSpliced(10, 1), [[11, 'SEQUENCE_BROKEN']]],
  [
    'an event that stands twice',
    (all) => all.toSpliced(11, 0, at(all, 11)),
    [
      [12, 'SEQUENCE_BROKEN'],
      [12, 'EVENT_ID_REPEATED'],
    ],
  ],
  [
    'a revision that is left out',
    (all) => replaced(all, 17, '"revision":"2"', '"revision":"3"'),
    [[17, 'REVISION_BROKEN']],
  ],
  [
    'an id that another event has',
    (all) => replaced(all, 17, idOf(at(all, 17)), idOf(at(all, 11))),
    [[17, 'EVENT_ID_REPEATED']],
  ],
  ['a part of another event', (all) => all.toSpliced(9, 1, at(all, 13)), [[10, 'PART_MISPLACED']]],
  ['a part behind another event', (all) => all.toSpliced(14, 0, at(all, 10)), [[15, 'PART_MISPLACED']]],
  [
    'a part that is not named',
    (all) => replaced(all, 10, '"part":"request"', '"part":"other"'),
    [[10, 'PART_MISPLACED']],
  ],
  ['a part before all events', (all) => all.toSpliced(0, 0, at(all, 2)), [[1, 'PART_MISPLACED']]],
  ['a part that stands twice', (all) => all.toSpliced(10, 0, at(all, 10)), [[11, 'PART_MISPLACED']]],
  ['a part with another salt', (all) => replaced(all, 10, /"salt":"..../, '"salt":"AAAA'), [[10, 'PART_DIFFERS']]],
  ['a line that cannot be read', (all) => all.toSpliced(11, 0, '{}'), [[12, 'LINE_UNREADABLE']]],
]
for (const [name, change, found] of damages) {
  it(`finds ${name}`, async () => {
    const { findings } = await check(change(lines))
    assert.equal(
      findings.map(({ line, code }) => [line, code]),
      found,
    )
  })
}

it('finds parts that stand in another order than that of their names', async () => {
  const { record } = link({ digest, ids: nodeIds() }, beforeFirst, {
    organization: '5b2b9e06-9f0b-4f3f-8c9b-0a5b6a1f2c3d',
    activity: 'b1235103-ff80-8706-8980-45ebe2f9f13b',
    revision: 1n,
    at: '2026-01-01T00:00:00.000Z',
    payload: { type: 'ActivityStarted', data: { attempt: 1, resumeAt: '2026-01-01T00:01:00.000Z', revision: 1 } },
    parts: { a: encodeUtf8('1'), b: encodeUtf8('2') },
  })
  const [line = '', a = '', b = ''] = [record.line, ...record.parts.map((part) => encodePartLine(record.id, part))].map(
    (bytes) => decodeUtf8(bytes),
  )
  assert.equal((await check([line, a, b])).findings, [])
  const { findings } = await check([line, b, a])
  assert.equal(
    findings.map(({ line: number, code }) => [number, code]),
    [[3, 'PART_MISPLACED']],
  )
})

it('says where an event has gaps before it, and does not speak of their revisions', async () => {
  const { findings, logged } = await check(lines.toSpliced(8, 2))
  assert.equal(
    findings.map(({ code }) => code),
    ['SEQUENCE_BROKEN'],
  )
  assert.equal(
    logged.filter(({ isGap }) => isGap).map(({ event }) => event.sequence),
    [4n],
  )
})

const at = (all: readonly string[], line: number): string => all[line - 1] ?? ''

const replaced = (all: readonly string[], line: number, what: string | RegExp, by: string): readonly string[] => {
  const changed = at(all, line).replace(what, by)
  assert.is.not(changed, at(all, line))
  return all.with(line - 1, changed)
}

const idOf = (line: string): string => /"id":"([^"]*)"/.exec(line)?.[1] ?? ''

const check = async (of: readonly string[]) => {
  const findings: Finding[] = []
  const logged: Logged[] = []
  const checking = transcriptCheck({ digest, ids: nodeIds() }, (finding) => findings.push(finding))
  const keep = (one: Logged | undefined): void => void (one !== undefined && logged.push(one))
  for await (const batch of readTranscript(digest, [encodeUtf8(closed(of))]))
    for (const entry of batch) keep(checking.next(entry))
  keep(checking.end())
  return { findings, logged, tips: checking.tips }
}

it.run()
