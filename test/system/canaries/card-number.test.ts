import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { auditedLog } from '../../../adapters/audit/audit-log.ts'
import { generateKey, stamp } from '../../../adapters/signatures/signer.ts'
import type { Json } from '../../../core/failure.ts'
import { right } from '../../core/world/world.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { openErasedHost, resources } from './erased/host.ts'
import { exported, filesOf, rowsOf } from './erased/places.ts'
import { secretText, sightings } from './secret.ts'

const it = suite('the number of a card')

const ORGANIZATION = 'c0ffee00-0000-4000-8000-000000000003'
const [V1, V2] = ['ACTIVITY_TYPE_SET_PAYMENT_METHOD', 'ACTIVITY_TYPE_SET_PAYMENT_METHOD_V2']
const [UPDATE, DELETE] = ['ACTIVITY_TYPE_UPDATE_PAYMENT_METHOD', 'ACTIVITY_TYPE_DELETE_PAYMENT_METHOD']

const NUMBER = '4929148803316274'
const CVV = 'cvv-7370-of-a-card'
const secrets = [
  secretText('the number', NUMBER),
  secretText('the number in groups', '4929 1488 0331 6274'),
  secretText('the cvv', CVV),
]

const holder = { cardHolderName: 'Canary Holder', cardHolderEmail: 'canary-holder@example.com' }
const card = { number: NUMBER, cvv: CVV, expiryMonth: '07', expiryYear: '2031', ...holder }
const byId = { paymentMethodId: 'pm_1NvY5BLkdIwHu7ix', ...holder }

type Asked = readonly [path: string, type: string, parameters: Json]

/** Where a client could send the number, by mistake or by the definition of the first version. */
const wrong: readonly Asked[] = [
  ['submit/set_payment_method', V1, card],
  ['submit/set_payment_method', V1, { ...card, cvv: '737' }],
  ['submit/set_payment_method', V1, [NUMBER, CVV]],
  ['submit/set_payment_method', V2, card],
  ['submit/set_payment_method', V2, { ...card, ...byId }],
  ['submit/set_payment_method', V2, { ...byId, [NUMBER]: CVV }],
  ['submit/set_payment_method', V2, { ...byId, paymentMethodId: NUMBER }],
  ['submit/set_payment_method', V2, { ...byId, paymentMethodId: '4929 1488 0331 6274' }],
  ['submit/set_payment_method', V2, { ...byId, cardHolderName: NUMBER }],
  ['submit/update_payment_method', UPDATE, { ...card, paymentEmail: 'bills@example.com' }],
  ['submit/update_payment_method', V1, card],
  ['submit/delete_payment_method', DELETE, { ...card, paymentMethodId: null }],
  ['submit/delete_payment_method', DELETE, { paymentMethodId: NUMBER }],
  ['submit/create_user_tag', V1, card],
  ['submit/approve_activity', V1, card],
  ['submit/create_organization', V1, card],
  ['submit/no_such_operation', V1, card],
  ['query/whoami', V1, card],
]

it('is nowhere: not in the store, an export, an audit, the log of the server, its traces or an answer', async () => {
  const folder = await temporaryFolder()
  const path = `${folder.path}/cards.db`
  const said: string[] = []
  const host = await openErasedHost(path, (text) => void said.push(text))
  const [root, stranger] = [generateKey('API_KEY_CURVE_P256'), generateKey('API_KEY_CURVE_P256')]
  const bodyOf = (type: string, parameters: Json): Buffer<ArrayBuffer> =>
    Buffer.from(JSON.stringify({ type, timestampMs: String(Date.now()), organizationId: ORGANIZATION, parameters }))
  const post = async ([route, type, parameters]: Asked, key = root) => {
    const body = bodyOf(type, parameters)
    const headers = { 'x-stamp': stamp(key, body) }
    const response = await fetch(`${host.url}/public/v1/${route}`, { method: 'POST', headers, body })
    return { status: response.status, text: await response.text() }
  }
  const answers: string[] = []
  const { publicKey, curve } = root
  const rootUsers = [{ userName: 'root', apiKeys: [{ apiKeyName: 'key', publicKey, curveType: curve }] }]
  const beginning = bodyOf('ACTIVITY_TYPE_CREATE_ORGANIZATION', {
    organizationName: 'one',
    rootUsers,
    rootQuorumThreshold: 1,
  })
  const request = { headers: { 'x-stamp': stamp(root, beginning) }, body: beginning, address: null }
  right(await host.engine.createOrganization(request)())
  assert.is((await post(['submit/set_payment_method', V2, byId])).status, 200)

  for (const asked of wrong)
    for (const key of [root, stranger]) {
      const { status, text } = await post(asked, key)
      assert.ok(status >= 400 && status < 500, `${asked[0]} as ${asked[1]}: ${status}`)
      answers.push(text)
    }
  const refused = await post(['submit/set_payment_method', V1, card])
  for (const parameters of [{}, { ...card, cvv: '737' }, 7])
    assert.equal(await post(['submit/set_payment_method', V1, parameters]), refused)
  assert.match(refused.text, /use ACTIVITY_TYPE_SET_PAYMENT_METHOD_V2 with the id that the payment provider gave/)

  const lines = await exported(host)
  const report = right(await auditedLog([lines], { resources })())
  assert.equal(report.findings, [])
  const places = [
    ['an export', lines],
    ['an audit', JSON.stringify(report)],
    ['the tables', rowsOf(path)],
    ['an answer', answers.join('\n')],
  ] as const
  await host.close()
  const files = filesOf(path).map(({ name, bytes }) => [name, bytes] as const)
  const kept = secretText('the holder', holder.cardHolderName)
  assert.ok(files.some(([name, bytes]) => sightings([kept], name, bytes).length > 0)) // the search finds what is there
  assert.ok(said.some((line) => line.includes('a request was answered')))
  for (const [name, bytes] of [...places, ...files, ['the log', said.join('\n')] as const])
    assert.equal(sightings(secrets, name, bytes), [])
  await folder.remove()
})

it.run()
