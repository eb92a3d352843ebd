import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeUtf8 } from '../../../core/bytes.ts'
import { exportLines, pagesOf } from '../../../core/log/transcript.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import { right } from '../../core/world/world.ts'
import { canaryPlace, openCanaries, type CanaryPlace } from './canary-place.ts'
import { flight, organizationId, type Canaries, type Outcome } from './canaries.ts'
import { secretBytes, secretText, sightings, type Secret } from './secret.ts'

const it = suite('canaries')

const canaries: Canaries = {
  keys: Array.from({ length: 4 }, () => generateKey('API_KEY_CURVE_P256')),
  token: 'token_0f3c9a7be2d14458_in_a_body',
  reference: 'reference-5be1b3c77a904c1e',
  bearer: 'bearer-91d4f8a36c0e4b2f',
  password: 'password-3ad07c55b1e94e68',
}
const privateKeys = canaries.keys.map(({ privateKey }, n) => secretBytes(`private key ${n}`, privateKey))
const credentials = [
  secretText('the bearer token of the service', canaries.bearer),
  secretText('the password of the service', canaries.password),
]
const token = secretText('the token of the bodies', canaries.token)
const reference = secretText('the reference of the intent', canaries.reference)

let place: CanaryPlace
let outcome: Outcome
let stamps: readonly Secret[] = []

it.before(async () => {
  place = await canaryPlace()
  outcome = await flight(place.of, canaries)
  // Stamps differ in their signatures; what all those of a key begin with is no secret.
  stamps = outcome.stamps.map((header, n) => secretText(`stamp ${n}`, header.slice(-80)))
})
it.after(async () => void (await place.remove()))

const opened = async <A>(use: (storage: Storage) => Promise<A>): Promise<A> => {
  const storage = await openCanaries(place.of)
  try {
    return await use(storage)
  } finally {
    await storage.readModels.close()
    await storage.store.close()
  }
}

it('fly everywhere: requests are met, refused and fail', () => {
  const statuses = new Set(outcome.answers.map(({ status }) => status))
  for (const status of [200, 400, 401, 404]) assert.ok(statuses.has(status), String(status))
  const bodies = outcome.answers.map(({ body }) => body).join('\n')
  for (const status of ['COMPLETED', 'FAILED', 'PENDING']) assert.match(bodies, `ACTIVITY_STATUS_${status}`)
  assert.match(outcome.said, 'a request was answered')
  assert.match(outcome.said, 'countersign.perform')
  assert.match(outcome.said, 'countersign_requests_total')
  assert.match(
    outcome.answers.find(({ path: route }) => route === '/metrics')?.body ?? '',
    'countersign_requests_total',
  )
  assert.ok(stamps.length > 100)
})

it('are not in what the process says: logs, traces, numbers and its title', () => {
  const secrets = [...privateKeys, ...credentials, token, reference, ...stamps]
  assert.equal(sightings(secrets, 'the log', outcome.said), [])
})

it('are not in answers; bodies and intents are shown only in their own activity, to its organization', () => {
  for (const { path: route, status, head, body } of outcome.answers) {
    const [answer, where] = [`${head}${body}`, `${status} of ${route}`]
    assert.equal(sightings([...privateKeys, ...credentials, ...stamps], where, answer), [])
    // A vote carries what its voter has signed.
    const rest = status === 200 ? answer.replaceAll(/"message":"(?:[^"\\]|\\.)*"/g, '') : answer
    assert.equal(sightings([token], where, rest), [])
    if (status !== 200) assert.equal(sightings([reference], where, answer), [])
  }
})

it('are not in events: bodies and stamps stand in the part that can be erased', async () => {
  const parts: string[] = []
  for (const { line, parts: found } of await everything()) {
    const where = decodeUtf8(line)?.slice(0, 200) ?? ''
    assert.equal(sightings([...privateKeys, ...credentials, token, reference, ...stamps], where, line), [])
    for (const { name, bytes } of found) parts.push(`${name} ${decodeUtf8(bytes)}`)
  }
  assert.ok(parts.length > 10)
  const others = parts.filter((part) => !part.startsWith('request '))
  assert.ok(others.every((part) => part.startsWith('personal:')))
  assert.equal(sightings([token, reference, ...stamps], 'the parts of persons', others.join('\n')), [])
  assert.match(parts.join('\n'), canaries.token)
  assert.match(parts.join('\n'), canaries.reference)
  assert.equal(sightings([...privateKeys, ...credentials], 'the parts', parts.join('\n')), [])
})

it('are not in an export, but for the lines of those parts', async () => {
  const lines = await opened(async ({ store }) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of exportLines(nodeDigest(), pagesOf(store))) chunks.push(right(chunk))
    return Buffer.concat(chunks).toString().split('\n')
  })
  const rest = lines.filter((line) => !line.startsWith('{"part":"request"')).join('\n')
  assert.equal(sightings([...privateKeys, ...credentials], 'the export', lines.join('\n')), [])
  assert.equal(sightings([token, reference, ...stamps], 'the export', rest), [])
  assert.is(sightings([token], 'the parts', lines.join('\n')).length, 1)
})

it('are not in the other tables of the database: rows, snapshots and indexes', async () => {
  const values = await place.values('others')
  assert.ok(new Set(values.map(([table]) => table)).size > 5)
  for (const [table, value] of values) {
    const bytes = value instanceof Uint8Array ? value : String(value)
    assert.equal(sightings([token, reference, ...stamps], `the table ${table}`, bytes), [])
  }
})

it('are not in the files: private keys and credentials never, the others until they are erased', async () => {
  for (const file of place.files())
    assert.equal(sightings([...privateKeys, ...credentials], file, readFileSync(file)), [])
  const [database] = place.files()
  if (database !== undefined)
    assert.ok(place.files().some((file) => sightings([token], file, readFileSync(file)).length > 0))
  const sequences = (await everything()).filter(({ parts }) => parts.length > 0).map(({ sequence }) => sequence)
  await opened(async ({ store }) => {
    for (const sequence of sequences) right(await store.eraseParts(organizationId, [{ sequence, name: 'request' }])())
  })
  for (const file of place.files()) assert.equal(sightings([token, reference, ...stamps], file, readFileSync(file)), [])
  for (const [table, value] of await place.values('parts'))
    assert.equal(
      sightings([token, reference, ...stamps], table, value instanceof Uint8Array ? value : String(value)),
      [],
    )
})

const everything = () => opened(async ({ store }) => right(await store.readLog(organizationId, 0n, 10_000)()))

it.run()
