import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { intlTimeZones } from '../../../adapters/time-zones/intl-time-zones.ts'

const it = suite('time zones of Intl')

const zones = intlTimeZones()
const offsetMinutes = (zone: string, instant: string): number | undefined => {
  const offset = zones.offsetMs(zone, Date.parse(instant))
  return offset === undefined ? undefined : offset / 60_000
}

it('names the version of the data', () => assert.is(zones.version, process.versions['tz']))

it('knows names of the IANA database, in any case', () => {
  for (const zone of ['UTC', 'Etc/UTC', 'GMT', 'Europe/Berlin', 'europe/berlin', 'AMERICA/Argentina/Buenos_Aires'])
    assert.is(zones.isKnown(zone), true, zone)
  for (const zone of ['Etc/GMT+5', 'America/Port-au-Prince', 'EST5EDT', 'EST', 'Japan', 'GMT0', 'PRC'])
    assert.is(zones.isKnown(zone), true, zone)
})

it('does not know offsets, abbreviations and what is no zone', () => {
  for (const zone of ['+01:00', '-05', 'UTC+1', 'GMT+5', 'Z', '', ' UTC', 'Europe/Berlin ', 'Europe/Atlantis'])
    assert.is(zones.isKnown(zone), false, zone)
  for (const zone of ['PST', 'IST', 'CST', 'BST', 'JST', 'ACT', 'SystemV/EST5', 'Etc/Unknown', 'localtime'])
    assert.is(zones.isKnown(zone), false, zone)
})

it('knows every zone that Intl lists', () => {
  for (const zone of Intl.supportedValuesOf('timeZone')) assert.is(zones.isKnown(zone), true, zone)
})

const TABLE = '/usr/share/zoneinfo/tzdata.zi'

it('knows no single word that is not in the IANA database', () => {
  // The texts of the database, where the system has them: `Z name …` begins a zone, `L target name` is another name of one.
  if (!existsSync(TABLE)) return
  const names = readFileSync(TABLE, 'utf8')
    .split('\n')
    .flatMap((line) =>
      line.startsWith('Z ') ? [line.split(' ')[1]] : line.startsWith('L ') ? [line.split(' ')[2]] : [],
    )
  const lower = new Set(names.map((name) => name?.toLowerCase()))
  const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')
  for (const a of letters)
    for (const b of letters)
      for (const c of letters) {
        const zone = `${a}${b}${c}`
        if (zones.isKnown(zone)) assert.ok(lower.has(zone.toLowerCase()), zone)
      }
})

it('gives offsets with changes of the clock, to the second', () => {
  assert.is(offsetMinutes('Europe/Berlin', '2024-01-01T00:00:00Z'), 60)
  assert.is(offsetMinutes('europe/BERLIN', '2024-07-01T00:00:00Z'), 120)
  assert.is(offsetMinutes('Asia/Kathmandu', '2024-07-01T12:34:56.789Z'), 345)
  assert.is(offsetMinutes('Pacific/Apia', '2011-12-30T09:59:59.999Z'), -600)
  assert.is(offsetMinutes('Pacific/Apia', '2011-12-30T10:00:00Z'), 840)
  assert.is(offsetMinutes('America/New_York', '2024-03-10T06:59:59.999Z'), -300)
  assert.is(offsetMinutes('America/New_York', '2024-03-10T07:00:00Z'), -240)
  assert.is(offsetMinutes('UTC', '1800-01-01T00:00:00Z'), 0)
})

it('gives no offset for zones that it does not know, and outside its years', () => {
  assert.is(offsetMinutes('Europe/Atlantis', '2024-01-01T00:00:00Z'), undefined)
  assert.is(offsetMinutes('Europe/Berlin', '1799-12-31T23:59:59Z'), undefined)
  assert.is(zones.offsetMs('Europe/Berlin', 8.64e15), undefined)
  assert.is(zones.offsetMs('Europe/Berlin', NaN), undefined)
})

it('gives the same again, also when it had to forget', () => {
  const all = Intl.supportedValuesOf('timeZone')
  const fresh = intlTimeZones()
  const atMs = Date.parse('2024-03-10T00:00:00Z')
  const first = all.map((zone) => fresh.offsetMs(zone, atMs))
  for (let day = 1; day <= 25; day += 1) for (const zone of all) fresh.offsetMs(zone, atMs + day * 86_400_000)
  assert.equal(
    all.map((zone) => fresh.offsetMs(zone, atMs)),
    first,
  )
})

it('never throws for a name', () =>
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[A-Za-z/_+:0-9-]{0,20}$/)), (zone) => {
      assert.is(zones.offsetMs(zone, 0) === undefined, !zones.isKnown(zone))
    }),
    { numRuns: 2000 },
  ))

it.run()
