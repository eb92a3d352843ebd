import { encodeUtf8 } from '../../../core/bytes.ts'
import { softwarePasskey } from '../../core/world/software-passkey.ts'
import { ApiKeyStamper } from '@turnkey/api-key-stamper'
import { TurnkeyClient, type TActivity } from '@turnkey/http'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { privateKeyToAccount } from 'viem/accounts'
import { parseSignature } from 'viem'
import { p256 } from '@noble/curves/nist.js'
import { generateKey, stamp, type SigningKey, type StampOptions } from '../../../adapters/signatures/signer.ts'
import { credentialsOf, onStage, refusal, withKey, type Stage } from './stage.ts'

const it = suite('stamps of every scheme, through official clients')

type Stamper = ConstructorParameters<typeof TurnkeyClient>[1]

/** Our own signer as the stamper of an official client, which knows P-256 alone. */
const stamperOf = (key: SigningKey, options?: StampOptions): Stamper => ({
  stamp: (body) => stamped(stamp(key, Buffer.from(body), options)),
})
const stamped = (stampHeaderValue: string) => Promise.resolve({ stampHeaderName: 'X-Stamp', stampHeaderValue })

/** A wallet as others wrote it: it signs the body as a personal message, and the stamp carries r and s of that as DER. */
const walletStamper = ({ privateKey, publicKey }: SigningKey): Stamper => {
  const wallet = privateKeyToAccount(`0x${privateKey}`)
  return {
    stamp: async (message) => {
      const { r, s } = parseSignature(await wallet.signMessage({ message }))
      const signature = derOf(r.slice(2), s.slice(2))
      const scheme = 'SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191'
      return stamped(Buffer.from(JSON.stringify({ publicKey, scheme, signature })).toString('base64url'))
    },
  }
}

/** DER as the official clients for wallets write it: zeros at the beginning stay, though DER forbids them. */
const derOf = (...integers: readonly string[]): string => {
  const encoded = integers.map((hex) => (/^[89a-f]/.test(hex) ? `022100${hex}` : `0220${hex}`)).join('')
  return `30${(encoded.length / 2).toString(16)}${encoded}`
}

const secp = (): SigningKey => generateKey('API_KEY_CURVE_SECP256K1')
const schemes: readonly (readonly [
  name: string,
  key: SigningKey,
  stamper: (key: SigningKey) => Stamper,
  scheme: string,
])[] = [
  ['P-256', generateKey('API_KEY_CURVE_P256'), stamperOf, 'SIGNATURE_SCHEME_TK_API_P256'],
  ['secp256k1', secp(), stamperOf, 'SIGNATURE_SCHEME_TK_API_SECP256K1'],
  ['ed25519', generateKey('API_KEY_CURVE_ED25519'), stamperOf, 'SIGNATURE_SCHEME_TK_API_ED25519'],
  ['EIP-191', secp(), (key) => stamperOf(key, { eip191: true }), 'SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191'],
  ['EIP-191 by viem', secp(), walletStamper, 'SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191'],
]
const clientOf = ({ url }: Stage, stamper: Stamper) => new TurnkeyClient({ baseUrl: url }, stamper)

for (const [name, key, stamperFor, scheme] of schemes) {
  it(`takes stamps of ${name}, and shows them in the vote`, () =>
    onStage(async (stage) => {
      const { root, asks, organizationId } = stage
      await withKey(stage, root, key)
      const client = clientOf(stage, stamperFor(key))
      assert.is((await client.getWhoami({ organizationId })).userId, root.userId)
      const body = asks('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'Ünïcødé ✍', userIds: [] })
      const { activity } = await client.createUserTag(body)
      const [vote] = activity.votes
      assert.equal([vote?.scheme, vote?.publicKey, vote?.message], [scheme, key.publicKey, JSON.stringify(body)])
      assert.match(vote?.signature ?? '', /^[0-9a-f]{128,144}$/)
    }))

  it(`refuses stamps of ${name} over another body`, () =>
    onStage(async (stage) => {
      const { root, organizationId } = stage
      await withKey(stage, root, key)
      const stamper = stamperFor(key)
      const client = clientOf(stage, { stamp: (body) => stamper.stamp(`${body} `) })
      assert.equal(await refusal(client.getWhoami({ organizationId })), {
        code: 16,
        error: 'SIGNATURE_INVALID',
        message: `could not verify api key signature organizationId=${organizationId} publicKey=${key.publicKey}`,
        details: [],
      })
    }))
}

it('refuses a scheme that does not fit the curve with which the key is registered', () =>
  onStage(async (stage) => {
    const { root, organizationId } = stage
    const key = secp()
    await withKey(stage, root, key)
    const asOther: Stamper = {
      stamp: (body) => {
        const text = Buffer.from(stamp(key, Buffer.from(body)), 'base64url').toString()
        return stamped(Buffer.from(text.replace('SECP256K1', 'P256')).toString('base64url'))
      },
    }
    const refused = await refusal(clientOf(stage, asOther).getWhoami({ organizationId }))
    assert.is(refused.code, 16)
    assert.ok(['SIGNATURE_INVALID', 'UNAUTHENTICATED'].includes(refused.error))
  }))

it('takes the spellings of a stamp that clients have', () =>
  onStage(async (stage) => {
    const { root, organizationId } = stage
    const { publicKey } = root.key
    const respelled = (
      spell: (stamp: { readonly [member: string]: string }) => string,
      encoding: 'base64' | 'base64url',
    ) => {
      const stamper: Stamper = {
        stamp: (body) => {
          const own = JSON.parse(Buffer.from(stamp(root.key, Buffer.from(body)), 'base64url').toString()) as Parameters<
            typeof spell
          >[0] // just made
          return stamped(Buffer.from(spell(own)).toString(encoding))
        },
      }
      return clientOf(stage, stamper).getWhoami({ organizationId })
    }
    const reordered = await respelled(
      ({ signature = '', scheme = '' }) =>
        `{"publicKey": "${publicKey}", "signature": "${signature}", "scheme": "${scheme}"}`,
      'base64',
    )
    assert.is(reordered.userId, root.userId)
    const upperCase = await respelled(
      (own) =>
        JSON.stringify({ ...own, publicKey: publicKey.toUpperCase(), signature: own['signature']?.toUpperCase() }),
      'base64url',
    )
    assert.is(upperCase.userId, root.userId)
    const uncompressed = p256.Point.fromHex(publicKey).toHex(false)
    const long = await respelled((own) => JSON.stringify({ ...own, publicKey: uncompressed }), 'base64url')
    assert.is(long.userId, root.userId)
  }))

it('takes DER with needless zeros, as wallets make it once in a while', () =>
  onStage(async (stage) => {
    const { root, postRaw, organizationId } = stage
    const key = secp()
    await withKey(stage, root, key)
    const stamper = walletStamper(key)
    for (let nonce = 0; ; nonce += 1) {
      const body = JSON.stringify({ organizationId, nonce })
      const { stampHeaderName, stampHeaderValue } = await stamper.stamp(body)
      if (!/022000[0-7]/.test(Buffer.from(stampHeaderValue, 'base64url').toString())) continue
      assert.is((await postRaw('query/whoami', body, { [stampHeaderName]: stampHeaderValue })).status, 200)
      break
    }
  }))

for (const runtime of ['node', 'browser', 'purejs'] as const) {
  it(`takes what the official stamper makes in the runtime ${runtime}`, () =>
    onStage(async (stage) => {
      const { root, organizationId } = stage
      const stamper = new ApiKeyStamper({ ...credentialsOf(root), runtimeOverride: runtime })
      for (let count = 0; count < 4; count += 1)
        assert.is((await clientOf(stage, stamper).getWhoami({ organizationId })).userId, root.userId)
    }))
}

it('takes a request that a client has signed and somebody else sends', () =>
  onStage(async ({ http, root, asks }) => {
    const body = asks('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'a', userIds: [] })
    const signed = await http(root).stampCreateUserTag(body)
    const { stampHeaderName, stampHeaderValue } = signed.stamp
    const headers = { [stampHeaderName]: stampHeaderValue }
    const response = await fetch(signed.url, { method: 'POST', body: signed.body, headers })
    const { activity } = (await response.json()) as { readonly activity: TActivity } // the answer of a submit
    assert.is(activity.status, 'ACTIVITY_STATUS_COMPLETED')
    assert.is((await http(root).createUserTag(body)).activity.id, activity.id)
  }))

it('reads stamps of attested keys and of passkeys', () =>
  onStage(async ({ postRaw, organizationId }) => {
    const asked = (header: string, stamp: string) =>
      postRaw('query/whoami', JSON.stringify({ organizationId }), { [header]: stamp })
    const attested = await asked('X-Stamp-Attested', '{}')
    assert.equal([attested.status, attested.body.message], [401, 'malformed activity stamp'])
    const unreadable = await asked('X-Stamp-Webauthn', '{}')
    assert.equal([unreadable.status, unreadable.body.message], [401, 'could not extract webauthn stamp'])
    const unknown = await asked(
      'x-stamp-webauthn',
      softwarePasskey({ algorithm: 'ES256', rpId: 'a' }).stamp(encodeUtf8('')),
    )
    assert.is(unknown.status, 401)
    assert.match(unknown.body.message, /^credential ID could not be found in organization or its parent organization /)
  }))

it.run()
