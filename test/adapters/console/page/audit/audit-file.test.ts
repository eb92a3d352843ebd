import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { auditLog } from '../../../../../adapters/audit/index.ts'
import {
  auditFile,
  type Known,
  type Outcome,
  type Progress,
} from '../../../../../adapters/console/page/audit/audit-file.ts'
import type { AuditReportJson } from '../../../../../core/audit/report-json.ts'
import { encodeUtf8 } from '../../../../../core/bytes.ts'
import { everyResource } from '../../../../../core/resources/every-resource.ts'
import { draftsOf, find, forged } from '../../../../core/audit/forgery.ts'
import { closed, eventfulLog, linesOf, mixedLog } from '../../../../core/audit/logs.ts'

const it = suite('the audit of a file in the page')

const { made, honest: text } = await eventfulLog()
await made.close()

const NOTHING: Known = { heads: [], pins: new Map() }

const outcomeOf = (content: BlobPart, known = NOTHING): Promise<Outcome> => auditFile(new Blob([content]), known)

const reportOf = async (content: BlobPart, known = NOTHING): Promise<AuditReportJson> => {
  const outcome = await outcomeOf(content, known)
  if (outcome._tag === 'problem') throw new Error(outcome.problem)
  return outcome.report
}

const codesOf = async (content: BlobPart, known = NOTHING): Promise<readonly string[]> => [
  ...new Set((await reportOf(content, known)).findings.map(({ code }) => code)),
]

const problemOf = async (file: Blob): Promise<string> => {
  const outcome = await auditFile(file, NOTHING)
  return outcome._tag === 'problem' ? outcome.problem : 'a report'
}

it('gives the same report as an audit on Node, of honest logs and of forged ones', async () => {
  const mixed = await mixedLog()
  await mixed.made.close()
  const drafts = draftsOf(text)
  find(drafts, 'ActivityCompleted').event.activity = find(drafts, 'ActivityCreated').event.activity
  for (const log of [text, mixed.text, forged(drafts)]) {
    const onNode = await auditLog([encodeUtf8(log)], { resources: everyResource })
    assert.equal(await reportOf(log), onNode.toJSON())
  }
  const { findings, counts } = await reportOf(text)
  assert.equal(findings, [])
  assert.ok(counts.stamps > 10 && counts.executions > 10)
})

it('finds one changed byte, wherever it is', async () => {
  const bytes = encodeUtf8(text)
  for (const share of [0.01, 0.2, 0.5, 0.8, 0.99]) {
    const changed = bytes.slice()
    const at = Math.floor(share * bytes.length)
    changed[at] = (bytes[at] ?? 0) ^ 1
    assert.ok((await reportOf(changed)).findings.length > 0, `at ${at}`)
  }
})

it('compares heads and pins', async () => {
  const { organizations } = await reportOf(text)
  const heads = organizations.map(({ organization, sequence, hash }) => ({
    organization,
    sequence: BigInt(sequence),
    hash,
  }))
  const pins = new Map(organizations.map(({ organization, genesis = '' }) => [organization, genesis]))
  const { compared, findings } = await reportOf(text, { heads, pins })
  const { length } = organizations
  assert.equal(findings, [])
  assert.equal(compared, { organizations: length, withPin: length, withHead: length, withNeither: 0 })
  const lines = linesOf(text)
  const shorter = closed(
    lines.slice(
      0,
      lines.findLastIndex((line) => line.includes('"ActivityCreated"')),
    ),
  )
  assert.equal(await codesOf(shorter, { heads, pins }), ['HEAD_DIFFERS'])
  const others = new Map([...pins.keys()].map((organization) => [organization, '0'.repeat(64)]))
  assert.equal(await codesOf(text, { heads, pins: others }), ['GENESIS_DIFFERS'])
})

it('finds that the end is missing', async () => {
  assert.equal(await codesOf(text.slice(0, text.lastIndexOf('{'))), ['CLOSING_MISSING'])
  assert.ok((await codesOf(text.slice(0, text.length / 2))).includes('CLOSING_MISSING'))
})

it('finds that an editor has written the lines in another way', async () => {
  const crlf = await codesOf(text.replaceAll('\n', '\r\n'))
  const marked = await codesOf(`\ufeff${text}`)
  for (const codes of [crlf, marked]) assert.ok(codes.includes('LINE_UNREADABLE'), codes.join(' '))
})

it('finds a line of 10 MB, and judges what follows', async () => {
  const lines = linesOf(text)
  const long = `{"organization":"${'x'.repeat(10_000_000)}"}`
  const { findings, counts } = await reportOf(closed([...lines, long, ...lines.slice(0, 1)]))
  assert.equal(
    findings.filter(({ code }) => code === 'LINE_UNREADABLE').map(({ line }) => line),
    [lines.length + 1],
  )
  assert.is(counts.lines, lines.length + 3)
})

it('shows no more than 200 findings, and counts the others', async () => {
  const [line = ''] = linesOf(text)
  const { findings, omitted } = await reportOf(closed(Array.from({ length: 1_000 }, () => line)))
  assert.is(findings.length, 200)
  assert.ok(omitted > 500)
})

it('gives no report for a file that is no export', async () => {
  assert.is(await problemOf(new Blob([])), 'empty')
  assert.is(await problemOf(new Blob(['SQLite format 3\0'])), 'sqlite')
  for (const other of ['\n', '{\n  "name": "x"\n}\n', '\u001f\u008b\b', '<!doctype html>'])
    assert.is(await problemOf(new Blob([other])), 'other', other)
  assert.is(await problemOf(new Blob([Buffer.from(text, 'utf16le')])), 'other')
})

it('gives no report for a file that cannot be read to its end', async () => {
  const file = new Blob([text])
  const pieces = [encodeUtf8(text.slice(0, 10_000))]
  file.stream = () =>
    new ReadableStream({
      pull: (stream) => {
        const piece = pieces.pop()
        if (piece === undefined) stream.error(new Error('it was deleted'))
        else stream.enqueue(piece)
      },
    })
  assert.is(await problemOf(file), 'unreadable')
})

it('tells how far it is, and reaches the end', async () => {
  const steps: Progress[] = []
  const { counts } = await reportOf(text)
  await auditFile(new Blob([text]), NOTHING, (step) => steps.push(step))
  const shares = steps.map(({ share }) => share)
  assert.equal(
    shares,
    shares.toSorted((a, b) => a - b),
  )
  assert.ok(steps.length > 0)
  const last = steps.at(-1)
  assert.ok(last !== undefined && last.share === 1 && last.lines <= counts.lines)
})

it.run()
