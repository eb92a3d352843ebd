import { ed25519, ED25519_TORSION_SUBGROUP } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha512 } from '@noble/hashes/sha2.js'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import { generateKey, stamp } from '../../../adapters/signatures/signer.ts'
import { concat, decodeHex, encodeHex, encodeUtf8 } from '../../../core/bytes.ts'
import type { Curve } from '../../../core/ports/signatures.ts'
import type { SignatureClaim } from '../../../core/ports/signatures.ts'
import { E } from '../../../core/prelude.ts'
import { encodeDer, parseDer } from '../../../core/stamp/der.ts'
import { parseApiKeyStamp } from '../../../core/stamp/api-key-stamp.ts'
import { verifiers } from './verifiers.ts'

const it = suite('agreement of verifiers')

const kinds = [
  { curve: 'API_KEY_CURVE_P256', eip191: false },
  { curve: 'API_KEY_CURVE_SECP256K1', eip191: false },
  { curve: 'API_KEY_CURVE_SECP256K1', eip191: true },
  { curve: 'API_KEY_CURVE_ED25519', eip191: false },
] as const
const name = ({ curve, eip191 }: (typeof kinds)[number]): string => `${curve}${eip191 ? ' with EIP-191' : ''}`

/** What all verifiers say about the claim; fails where they differ. */
const decided = async (claim: SignatureClaim): Promise<boolean> => {
  const { node, noble, web } = verifiers
  const verdicts = await Promise.all([node.verify(claim), noble.verify(claim), web.verify(claim)])
  const [first] = verdicts
  assert.ok(
    verdicts.every((verdict) => verdict === first),
    `node, noble and web say ${verdicts.join()} of ${JSON.stringify({ ...claim, signature: encodeHex(claim.signature) })}`,
  )
  return first
}

const claimOf = ({ curve, eip191 }: (typeof kinds)[number], message: Uint8Array): SignatureClaim => {
  const stamped = parseApiKeyStamp(stamp(generateKey(curve), message, { eip191 }))
  if (E.isLeft(stamped)) throw new Error(stamped.left.message)
  return { ...stamped.right, message }
}

const body = encodeUtf8('{"type":"ACTIVITY_TYPE_CREATE_USERS"}')

for (const kind of kinds) {
  it(`accepts what the signer stamps: ${name(kind)}`, () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (message) =>
        assert.ok(await decided(claimOf(kind, message))),
      ),
      { numRuns: 20 },
    ))

  it(`refuses a stamp in which one bit is another: ${name(kind)}`, () =>
    fc.assert(
      fc.asyncProperty(fc.constantFrom('publicKey', 'signature', 'message'), fc.nat(), async (field, bit) => {
        const claim = claimOf(kind, body)
        const bytes = field === 'publicKey' ? decodeHex(claim.publicKey) : claim[field].slice()
        assert.ok(bytes)
        const at = bit % (bytes.length * 8)
        bytes[at >> 3] = (bytes[at >> 3] ?? 0) ^ (1 << (at & 7))
        assert.not.ok(await decided({ ...claim, [field]: field === 'publicKey' ? encodeHex(bytes) : bytes }))
      }),
      { numRuns: 60 },
    ))

  it(`refuses any bytes as a signature or a key, without rejecting: ${name(kind)}`, () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 80 }), fc.string(), async (bytes, text) => {
        const claim = claimOf(kind, body)
        assert.not.ok(await decided({ ...claim, signature: bytes }))
        assert.not.ok(await decided({ ...claim, publicKey: encodeHex(bytes) }))
        assert.not.ok(await decided({ ...claim, publicKey: text }))
      }),
      { numRuns: 100 },
    ))

  it(`refuses a key that is not spelled canonically: ${name(kind)}`, async () => {
    const claim = { ...claimOf(kind, body), publicKey: generateLettered(kind.curve) }
    assert.not.ok(await decided({ ...claim, publicKey: claim.publicKey.toUpperCase() }))
  })
}

for (const kind of kinds.filter(({ curve }) => curve !== 'API_KEY_CURVE_ED25519')) {
  const curve = kind.curve as 'API_KEY_CURVE_P256' | 'API_KEY_CURVE_SECP256K1' // by the filter
  const { ORDER } = (curve === 'API_KEY_CURVE_P256' ? p256 : secp256k1).Point.Fn

  it(`accepts s and n − s alike: ${name(kind)}`, async () => {
    const claim = claimOf(kind, body)
    const pair = encodeHex(parseDer(curve, claim.signature) ?? new Uint8Array())
    const mirrored = (ORDER - BigInt(`0x${pair.slice(64)}`)).toString(16).padStart(64, '0')
    const signature = encodeDer(decodeHex(pair.slice(0, 64) + mirrored) ?? new Uint8Array())
    assert.ok(await decided({ ...claim, signature }))
  })

  it(`accepts integers at full width, as a JavaScript client writes them: ${name(kind)}`, async () => {
    const claim = claimOf(kind, body)
    const pair = encodeHex(parseDer(curve, claim.signature) ?? new Uint8Array())
    const wide = decodeHex(`3046022100${pair.slice(0, 64)}022100${pair.slice(64)}`)
    assert.ok(wide && (await decided({ ...claim, signature: wide })))
  })
}

it('decides alike on messages that are hashed in slices, of every length around a slice', async () => {
  const kind = { curve: 'API_KEY_CURVE_SECP256K1', eip191: true } as const
  const slice = 32 * 1024
  for (const length of [slice - 1, slice, slice + 1, 2 * slice - 1, 2 * slice, 2 * slice + 1, 1024 * 1024]) {
    const message = new Uint8Array(length).map((_, i) => i % 251)
    const claim = claimOf(kind, message)
    assert.ok(await decided(claim), `${length} bytes`)
    for (const at of [0, slice - 1, slice, length - 1]) {
      const other = message.with(Math.min(at, length - 1), 255)
      assert.not.ok(await decided({ ...claim, message: other }), `${length} bytes, another one at ${at}`)
    }
  }
})

it('refuses a signature that fits every message under a key of small order', async () => {
  const { Point } = ed25519
  const publicKey = Point.ZERO.toHex()
  const signature = concat([Point.BASE.multiply(5n).toBytes(), Uint8Array.of(5), new Uint8Array(31)]) // [5]B = R + [k]·0
  assert.ok(ed25519.verify(signature, body, decodeHex(publicKey) ?? new Uint8Array(), { zip215: true }))
  assert.not.ok(await decided({ scheme: 'SIGNATURE_SCHEME_TK_API_ED25519', publicKey, signature, message: body }))
})

it('refuses every key of small order, whatever the message', async () => {
  const { Point } = ed25519
  for (const publicKey of ED25519_TORSION_SUBGROUP)
    for (const r of ED25519_TORSION_SUBGROUP) {
      const signature = concat([Point.fromHex(r).toBytes(), new Uint8Array(32)])
      assert.not.ok(await decided({ scheme: 'SIGNATURE_SCHEME_TK_API_ED25519', publicKey, signature, message: body }))
    }
})

it('decides alike under an ed25519 key with a component of small order', async () => {
  const { Point } = ed25519
  const { Fn } = Point
  const [secret, nonce] = [123456789n, 987654321n]
  const torsion = Point.fromHex(ED25519_TORSION_SUBGROUP[1] ?? '')
  const key = Point.BASE.multiply(secret).add(torsion).toBytes()
  let accepted = 0
  for (let n = 0; n < 32; n++) {
    const message = encodeUtf8(`{"n":${n}}`)
    const r = Point.BASE.multiply(nonce).toBytes()
    const k = Fn.create(littleEndian(sha512(concat([r, key, message]))))
    const signature = concat([r, Fn.toBytes(Fn.add(nonce, Fn.mul(k, secret)))])
    assert.ok(ed25519.verify(signature, message, key, { zip215: false }), 'with the cofactor it would be valid')
    const claim = { scheme: 'SIGNATURE_SCHEME_TK_API_ED25519', publicKey: encodeHex(key), signature, message } as const
    if (await decided(claim)) accepted += 1
  }
  assert.ok(accepted > 0 && accepted < 32, 'valid where the component happens to vanish')
})

it('refuses an ed25519 signature whose s is not reduced', async () => {
  const claim = claimOf({ curve: 'API_KEY_CURVE_ED25519', eip191: false }, body)
  const s = littleEndian(claim.signature.subarray(32)) + ed25519.Point.Fn.ORDER
  const unreduced = decodeHex(s.toString(16).padStart(64, '0'))?.toReversed() ?? new Uint8Array()
  assert.not.ok(await decided({ ...claim, signature: concat([claim.signature.subarray(0, 32), unreduced]) }))
})

it('hashes alike', () =>
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      assert.equal(verifiers.node.sha256(bytes), verifiers.noble.sha256(bytes))
      for (const digest of [verifiers.node, verifiers.noble, nodeDigest()])
        assert.is(digest.sha256Hex(bytes), encodeHex(verifiers.noble.sha256(bytes)))
    }),
  ))

/** A public key with a letter in it, so that upper case is another spelling. */
const generateLettered = (curve: Curve): string => {
  const { publicKey } = generateKey(curve)
  return /[a-f]/.test(publicKey) ? publicKey : generateLettered(curve)
}

const littleEndian = (bytes: Uint8Array): bigint => BigInt(`0x${encodeHex(bytes.toReversed())}`)

it.run()
