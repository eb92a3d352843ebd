import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { canonicalJson } from '../../../../core/resources/tvc/manifest.ts'
import { NOW } from '../execute.ts'
import { cloud, deploy, keys, operator, sha256, shownDeployment } from './scenes.ts'

const it = suite('manifests')

/** From the specification of QuorumOS, and from RFC 8785, section 3.2.3. */
const VECTORS = [
  [{}, '{}', '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a'],
  [
    { version: '1', name: 'test', threshold: 3 },
    '{"name":"test","threshold":"3","version":"1"}',
    '898eaf2263b3ca34a9fb0b59615a16e5819b43c53fabc44396f92128f72ccc7e',
  ],
  [{ data: 'deadbeef' }, '{"data":"deadbeef"}', '03fe564ceddcb54a7a742bd7a4db57318a068cecd22ae44435ce68d35e754e13'],
  [{ b: [1, null, -2], a: null, c: { d: false, e: null } }, '{"b":["1",null,"-2"],"c":{"d":false}}', undefined],
  [
    { '€': '1', '\r': '2', '\uFB33': '3', '1': '4', '😀': '5', '\u0080': '6', ö: '7' },
    '{"\\r":"2","1":"4","\u0080":"6","ö":"7","€":"1","😀":"5","\uFB33":"3"}',
    undefined,
  ],
] as const

for (const [value, expected, hash] of VECTORS)
  it(`are written as QuorumOS writes JSON: ${expected}`, () => {
    assert.is(canonicalJson(value), expected)
    if (hash !== undefined) assert.is(sha256(expected).toString('hex'), hash)
  })

it('have no numbers with a fraction', () => assert.throws(() => canonicalJson({ a: 0.5 }), 'whole numbers'))

const members = (...numbers: readonly number[]): string =>
  `[${numbers.map((n) => `{"alias":"operator ${n}","pubKey":"${operator(n).publicKey}"}`).join(',')}]`

it('have the members of version 2 of QuorumOS, without measurements, as a whole text', async () => {
  const { tried, app } = cloud()
  const made = deploy(tried, app, { publicIngressPort: 443 }, { atMs: NOW + 1_999 })
  const { manifest } = await shownDeployment(tried, made.deploymentId)
  assert.is(
    Buffer.from(manifest.manifest, 'base64').toString(),
    '{"enclave":{"awsRootCertificate":"","pcr0":"","pcr1":"","pcr2":"","pcr3":"","qosCommit":"0.12.1"},' +
      `"manifestSet":{"members":${members(1, 2, 3)},"threshold":"2"},` +
      `"namespace":{"name":"app-${app.appId}","nonce":"${NOW / 1_000 + 1}","quorumKey":"${keys(0).publicKey}"},` +
      '"pivot":{"args":["--port","3000"],"bridgeConfig":[{"host":"0.0.0.0","port":"443","type":"server"},' +
      `{"host":"0.0.0.0","port":"3000","type":"server"}],"debugMode":false,"hash":"${'ab'.repeat(32)}","restart":"Never"},` +
      `"shareSet":{"members":${members(4, 5)},"threshold":"2"},"version":"v2"}`,
  )
})

it('have the nonce of the request, if it gives one', async () => {
  const { tried, app } = cloud()
  const texts = [7, 0].map(async (nonce) => {
    const { manifest } = await shownDeployment(tried, deploy(tried, app, { nonce }).deploymentId)
    return Buffer.from(manifest.manifest, 'base64').toString().includes(`"nonce":"${nonce}"`)
  })
  assert.equal(await Promise.all(texts), [true, true])
})

it.run()
