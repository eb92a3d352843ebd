import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { linesOfRecord, type LogRecord } from '../../../adapters/cli/log-lines.ts'
import { lineText } from '../../../adapters/cli/style.ts'

const it = suite('lines of the log for people')

const shown = (record: LogRecord): readonly string[] =>
  linesOfRecord({ time: '2026-11-22T17:45:03.123Z', ...record }, (date) => date.toISOString().slice(11, 19)).map(
    (line) => lineText(line, false),
  )

it('shows a request with its duration and, where it was refused, its code', () => {
  const request = { level: 30, method: 'POST', path: '/public/v1/query/whoami', status: 200, durationMs: 3.4 }
  assert.equal(shown({ ...request, msg: 'a request was answered' }), [
    '17:45:03  POST  /public/v1/query/whoami  200  3 ms',
  ])
  assert.equal(shown({ ...request, status: 404, durationMs: 0.2, code: 'ROUTE_NOT_FOUND', requestId: 'r1' }), [
    '17:45:03  POST  /public/v1/query/whoami  404  <1 ms  ROUTE_NOT_FOUND  requestId=r1',
  ])
  assert.equal(shown({ level: 30, method: null, path: null, status: 400, durationMs: 1 }), [
    '17:45:03  -     what is no request  400  1 ms',
  ])
})

it('shows a notice with its level and its members', () => {
  assert.equal(shown({ level: 40, msg: 'others have rights', path: 'data/a.db', rights: { mode: 420 } }), [
    '17:45:03  warning  others have rights  path=data/a.db  rights={"mode":420}',
  ])
  assert.equal(shown({ level: 30, msg: 'stopped' }), ['17:45:03  stopped'])
})

it('shows an error with its stack, a line for each call', () => {
  const err = { type: 'Error', message: 'oh', stack: 'Error: oh\n    at a (b.js:1:1)\nsecond\u001b[2J' }
  assert.equal(shown({ level: 50, msg: 'a request met a bug', status: 500, durationMs: 2, err }), [
    '17:45:03  error  a request met a bug  status=500  durationMs=2',
    '    Error: oh',
    '    at a (b.js:1:1)',
    '    second\\u001b[2J',
  ])
})

it.run()
