import { ApiKeyStamper } from '@turnkey/api-key-stamper'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import { encodeUtf8 } from '../../../core/bytes.ts'
import { headerOf, verdict, verifiers } from './verifiers.ts'

const it = suite('known stamps')

const documented = {
  body: '{"payload": "hello from TKHQ"}',
  curve: 'API_KEY_CURVE_P256',
  fields: {
    publicKey: '0327a50032e6f0631d5605b6ada32b779074f346e81b68e12801640f1c9ee03dae',
    scheme: 'SIGNATURE_SCHEME_TK_API_P256',
    signature:
      '304402203623defd618eb3e219970496407ebe92447317dad75e412bd4a6267c3b5e22230220245b740848a72d08b60d6c84f339737b63db3bcbadb3bd0dcb1bfb865715d8b5',
  },
} as const

const wallet = {
  body: 'MESSAGE',
  curve: 'API_KEY_CURVE_SECP256K1',
  fields: {
    publicKey: '038318535b54105d4a7aae60c08fc45f9687181b4fdfc625bd1a753fa7397fed75',
    scheme: 'SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191',
    signature:
      '30440220487cdb8a88f2f4044b701cbb116075c4cabe5fe4657a6358b395c0aab70694db02203453a8057e442bd1aff0ecabe8a82c831f0edd7f2158b7c1feb3de9b1f20309b',
  },
} as const

for (const [name, signatures] of Object.entries(verifiers)) {
  it(`${name} accepts the stamp that the API's documentation shows`, async () => {
    const { body, curve, fields } = documented
    assert.ok(await verdict(signatures, headerOf(fields), encodeUtf8(body), curve))
    assert.not.ok(await verdict(signatures, headerOf(fields), encodeUtf8(`${body}\n`), curve))
  })

  it(`${name} accepts a wallet's EIP-191 stamp, and only as that`, async () => {
    const { body, curve, fields } = wallet
    const plain = { ...fields, scheme: 'SIGNATURE_SCHEME_TK_API_SECP256K1' } as const
    assert.ok(await verdict(signatures, headerOf(fields), encodeUtf8(body), curve))
    assert.not.ok(await verdict(signatures, headerOf(fields), encodeUtf8('message'), curve))
    assert.not.ok(await verdict(signatures, headerOf(plain), encodeUtf8(body), curve))
  })

  for (const runtime of ['node', 'browser', 'purejs'] as const)
    it(`${name} accepts what the public client stamps (${runtime})`, async () => {
      const { privateKey, publicKey } = generateKey('API_KEY_CURVE_P256')
      const client = new ApiKeyStamper({ apiPublicKey: publicKey, apiPrivateKey: privateKey, runtimeOverride: runtime })
      for (let n = 0; n < 10; n++) {
        const { stampHeaderValue } = await client.stamp(`{"n":${n}}`)
        assert.ok(await verdict(signatures, stampHeaderValue, encodeUtf8(`{"n":${n}}`), 'API_KEY_CURVE_P256'))
      }
    })
}

it.run()
