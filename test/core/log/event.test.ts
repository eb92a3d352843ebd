import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeUtf8, encodeUtf8 } from '../../../core/bytes.ts'
import { decodeEvent, encodeEvent, EVENT_VERSION, type Event } from '../../../core/log/event.ts'
import { codeOf, right } from '../../world.ts'

const it = suite('event')

const event: Event = {
  organization: '5b2b9e06-9f0b-4f3f-8c9b-0a5b6a1f2c3d',
  sequence: 3n,
  activity: 'b1235103-ff80-8706-8980-45ebe2f9f13b',
  revision: 2n,
  version: EVENT_VERSION,
  id: '019ab2c3-0d4e-7f50-8a61-72839405a6b7',
  at: '2026-01-01T00:00:00.000Z',
  previous: '0'.repeat(64),
  parts: {},
  type: 'ActivityStarted',
  data: { attempt: 1, resumeAt: '2026-01-01T00:01:00.000Z' },
}

const decoded = (change: (line: string) => string) =>
  decodeEvent(encodeUtf8(change(decodeUtf8(encodeEvent(event)) ?? '')))

it('reads what it writes', () => assert.equal(right(decoded((line) => line)), event))

it('closes an organization on a version that there is not, later or earlier', () => {
  for (const version of ['0', '-1', '2', '1.5'])
    assert.is(
      codeOf(decoded((line) => line.replace('"version":1', `"version":${version}`))),
      'ORGANIZATION_CLOSED',
      version,
    )
})

it('closes it on a type that it does not know', () =>
  assert.is(codeOf(decoded((line) => line.replace('ActivityStarted', 'ActivityStopped'))), 'ORGANIZATION_CLOSED'))

it('refuses what is no event', () => {
  assert.is(codeOf(decoded(() => '{}')), 'STORE_UNREADABLE')
  assert.is(codeOf(decoded((line) => line.replace('"attempt":1', '"attempt":"1"'))), 'STORE_UNREADABLE')
})

it.run()
