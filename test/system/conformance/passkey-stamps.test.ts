import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { encodeHex, encodeUtf8 } from '../../../core/bytes.ts'
import { E } from '../../../core/prelude.ts'
import { parsePasskeyStamp } from '../../../core/stamp/passkey-stamp.ts'
import { register } from '../../core/resources/authenticator/passkey-world.ts'
import { digest } from '../../core/audit/logs.ts'
import {
  anyPasskey,
  type AssertionOptions,
  type PasskeyAlgorithm,
  type SoftwarePasskey,
} from '../../core/world/software-passkey.ts'
import { genesisBody, right, stamped, type Person } from '../../core/world/world.ts'
import { onStage, type Headers, type Reply, type Stage } from './stage.ts'

const it = suite('stamps of passkeys over HTTP')

const HEADER = 'X-Stamp-Webauthn'
const WRONG_SIGNATURE = [401, 'SIGNATURE_INVALID', 'could not verify WebAuthN signature']

/** A stage on which somebody has a passkey. */
const withPasskey = (
  algorithm: PasskeyAlgorithm,
  play: (stage: Stage, passkey: SoftwarePasskey, ada: Person) => Promise<void>,
): Promise<void> =>
  onStage(async (stage) => {
    const [passkey, ada] = [anyPasskey(algorithm), await stage.enrol('ada')]
    await register(stage, ada, passkey)
    await play(stage, passkey, ada)
  })

const tagBody = ({ bytes }: Stage, userTagName = 'ops'): string =>
  bytes('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName, userIds: [] })
const submit = ({ postRaw }: Stage, body: string, headers: Headers): Promise<Reply> =>
  postRaw('submit/create_user_tag', body, headers)
const refusalOf = ({ status, body }: Reply): readonly unknown[] => [
  status,
  body.turnkeyErrorCode,
  body.message.slice(0, 'could not verify WebAuthN signature'.length),
]
const last = async ({ storage }: Stage): Promise<bigint> => right(await storage.store.lastPosition()())

/** What an assertion says that is wrong, over the right body. */
const wrong: readonly (readonly [name: string, options: AssertionOptions])[] = [
  ['for another relying party', { rpId: 'example.com' }],
  ['of the type of a registration', { type: 'webauthn.create' }],
  ['of no type', { type: '' }],
  ['with nobody present', { flags: 0 }],
  ['with a verified user who was not present', { flags: 4 }],
  ['with authenticator data cut by one byte', { cut: 1 }],
  ['with authenticator data cut to nothing', { cut: 37 }],
  ['with authenticator data that go on', { behind: Uint8Array.of(0) }],
  ['with client data that are no JSON', { clientText: (text) => text.slice(1) }],
  ['with client data of a doubled type', { clientText: (text) => text.replace('{', '{"type":"webauthn.get",') }],
  ['with an empty challenge', { clientText: (text) => text.replace(/"challenge":"[^"]*"/, '"challenge":""') }],
]

for (const algorithm of ['ES256', 'RS256'] as const)
  it(`are refused where the assertion is wrong, and nothing of it is stored: ${algorithm}`, () =>
    withPasskey(algorithm, async (stage, passkey) => {
      const before = await last(stage)
      for (const [name, options] of wrong) {
        const body = tagBody(stage)
        const reply = await submit(stage, body, { [HEADER]: passkey.stamp(encodeUtf8(body), options) })
        assert.equal(refusalOf(reply), WRONG_SIGNATURE, name)
      }
      const [body, other] = [tagBody(stage), tagBody(stage)]
      const ofOther = passkey.stamp(encodeUtf8(other))
      assert.equal(refusalOf(await submit(stage, body, { [HEADER]: ofOther })), WRONG_SIGNATURE, 'of another body')
      assert.is(await last(stage), before)
      assert.is((await submit(stage, other, { [HEADER]: ofOther })).status, 403) // a policy would have to allow it
      assert.equal(refusalOf(await submit(stage, body, { [HEADER]: ofOther })), WRONG_SIGNATURE, 'replayed')
    }))

it('are refused with challenges that only look like that of the body', () =>
  withPasskey('ES256', async (stage, passkey) => {
    const body = JSON.stringify({ organizationId: stage.organizationId })
    const hash = digest.sha256(encodeUtf8(body))
    const challenges = [hash, encodeUtf8(encodeHex(hash).toUpperCase()), encodeUtf8(`${encodeHex(hash)}\n`)]
    for (const challenge of challenges) {
      const { authenticatorData, clientData, signature } = passkey.assert(challenge)
      const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
      const header = JSON.stringify({
        authenticatorData: text(authenticatorData),
        clientDataJson: text(clientData),
        credentialId: text(passkey.credentialId),
        signature: text(signature),
      })
      assert.equal(refusalOf(await stage.postRaw('query/whoami', body, { [HEADER]: header })), WRONG_SIGNATURE)
    }
  }))

it('are refused from origins that are not allowed, and in frames of pages that are not', () =>
  withPasskey('ES256', async (stage, passkey) => {
    const body = JSON.stringify({ organizationId: stage.organizationId })
    const from = async (options: AssertionOptions) =>
      stage.postRaw('query/whoami', body, { [HEADER]: passkey.stamp(encodeUtf8(body), options) })
    const [own, evil] = ['https://example.org', 'https://evil.example']
    assert.is((await from({ origin: evil })).status, 200)
    await stage.done(stage.root, 'set_organization_feature', { name: 'FEATURE_NAME_WEBAUTHN_ORIGINS', value: own })
    assert.is((await from({ origin: own })).status, 200)
    for (const options of [
      { origin: evil },
      { origin: `${own}:8443` },
      { origin: 'http://example.org' },
      { crossOrigin: true },
      { crossOrigin: true, topOrigin: evil },
    ])
      assert.equal(refusalOf(await from(options)), WRONG_SIGNATURE, JSON.stringify(options))
  }))

it('are refused in another organization than that of the passkey, and beside another stamp', () =>
  withPasskey('ES256', async (stage, passkey, ada) => {
    const { engine, clock } = stage
    const [foreign, organizationId] = [anyPasskey(), nodeIds().uuid()]
    const beginning = genesisBody(organizationId, ada.key, clock.now(), 'Other', foreign)
    right(await engine.createOrganization(stamped({ key: ada.key, passkey: foreign }, beginning))())
    const whoami = (body: string, by: SoftwarePasskey, more: Headers = {}) =>
      stage.postRaw('query/whoami', body, { [HEADER]: by.stamp(encodeUtf8(body)), ...more })
    const [here, there] = [stage.organizationId, organizationId].map((id) => JSON.stringify({ organizationId: id }))
    if (here === undefined || there === undefined) throw new Error('there are two')
    assert.is((await whoami(there, foreign)).status, 200)
    for (const [body, by] of [
      [here, foreign],
      [there, passkey],
    ] as const) {
      const { status, body: answer } = await whoami(body, by)
      assert.equal([status, answer.turnkeyErrorCode], [401, 'CREDENTIAL_NOT_FOUND'])
    }
    const key = stamped({ key: ada.key }, encodeUtf8(here)).headers['x-stamp']
    if (typeof key !== 'string') throw new Error('it is one text')
    assert.is((await whoami(here, passkey)).status, 200)
    assert.is((await whoami(here, passkey, { 'X-Stamp': key })).status, 401)
    assert.is((await whoami(here, passkey, { 'X-Stamp-Attested': '{}' })).status, 401)
    const twice = passkey.stamp(encodeUtf8(here))
    assert.is((await stage.postRaw('query/whoami', here, { [HEADER]: `${twice}, ${twice}` })).status, 401)
  }))

/** Texts with one bit of one character flipped, at each character, so that it stays one that a header may have. */
const flips = function* (text: string): Generator<string> {
  for (let at = 0; at < text.length; at += 1)
    for (let turn = 0; turn < 7; turn += 1) {
      const code = text.charCodeAt(at) ^ (1 << ((at + turn) % 7))
      if (code < 0x21 || code > 0x7e) continue
      yield text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1)
      break
    }
}

it('are refused with one bit flipped in any byte of the header, or are the same stamp in another spelling', () =>
  withPasskey('ES256', async (stage, passkey) => {
    const body = JSON.stringify({ organizationId: stage.organizationId })
    const header = passkey.stamp(encodeUtf8(body))
    const honest = right(parsePasskeyStamp(header))
    let tried = 0
    for (const flipped of flips(header)) {
      tried += 1
      const { status } = await stage.postRaw('query/whoami', body, { [HEADER]: flipped })
      if (status === 401) continue
      const read = parsePasskeyStamp(flipped)
      assert.equal([status, E.isRight(read) && read.right], [200, honest], flipped)
    }
    assert.is(tried, header.length)
  }))

it('are refused with one bit flipped in any byte of the body', () =>
  withPasskey('ES256', async (stage, passkey) => {
    const body = tagBody(stage)
    const headers = { [HEADER]: passkey.stamp(encodeUtf8(body)) }
    const before = await last(stage)
    for (const flipped of flips(body)) {
      const { status } = await submit(stage, flipped, headers)
      assert.ok([400, 401, 404].includes(status), `${status}: ${flipped}`)
    }
    assert.is(await last(stage), before)
  }))

it.run()
