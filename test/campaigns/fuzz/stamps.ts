import { encodeDer, parseDer } from '../../../core/stamp/der.ts'
import { generateKey, stamp, type SigningKey } from '../../../adapters/signatures/signer.ts'

/** Lines of headers that stamp a body badly. None of them may pass. */
export type BadStamp = (key: SigningKey, body: Uint8Array) => readonly string[]

type Content = { readonly publicKey: string; readonly scheme: string; readonly signature: string }

const stranger = generateKey('API_KEY_CURVE_P256')
const neighbour = generateKey('API_KEY_CURVE_ED25519')

const contentOf = (key: SigningKey, body: Uint8Array): Content =>
  JSON.parse(Buffer.from(stamp(key, body), 'base64url').toString()) as Content // made by our own signer

const line = (content: unknown): readonly string[] => [
  `X-Stamp: ${Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)).toString('base64url')}`,
]

const changed =
  (change: (content: Content, body: Uint8Array) => unknown): BadStamp =>
  (key, body) =>
    line(change(contentOf(key, body), body))

/** The signature with its pair of numbers changed. */
const paired = (change: (r: Uint8Array, s: Uint8Array) => readonly [Uint8Array, Uint8Array]): BadStamp =>
  changed((content) => {
    const pair = parseDer('API_KEY_CURVE_P256', Buffer.from(content.signature, 'hex')) ?? new Uint8Array(64)
    const signature = encodeDer(Buffer.concat(change(pair.subarray(0, 32), pair.subarray(32))))
    return { ...content, signature: Buffer.from(signature).toString('hex') }
  })

const ORDER = Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551', 'hex')
const ZERO = new Uint8Array(32)

/** Every way, by name. */
export const BAD_STAMPS: Readonly<Record<string, BadStamp>> = {
  'no stamp': () => [],
  'an empty stamp': () => ['X-Stamp:'],
  'half a stamp': (key, body) => [`X-Stamp: ${stamp(key, body).slice(0, 150)}`],
  'a stamp that is no base64': () => ['X-Stamp: !!!'],
  'a stamp that is no JSON': () => line('stamp'),
  'a stamp that is a list': () => line([1, 2]),
  'a member of the stamp doubled': changed(
    (content) => `${JSON.stringify(content).slice(0, -1)},"publicKey":"${stranger.publicKey}"}`,
  ),
  'an unknown scheme': changed((content) => ({ ...content, scheme: 'SIGNATURE_SCHEME_NONE' })),
  'the scheme of another curve': changed((content) => ({ ...content, scheme: 'SIGNATURE_SCHEME_TK_API_ED25519' })),
  'no signature in it': changed((content) => ({ ...content, signature: '' })),
  'a signature with a bit flipped': changed((content) => ({
    ...content,
    signature: content.signature.replace(/.$/, (last) => (Number.parseInt(last, 16) ^ 1).toString(16)),
  })),
  'something behind the signature': changed((content) => ({ ...content, signature: `${content.signature}00` })),
  'r and s changed places': paired((r, s) => [s, r]),
  'r is zero': paired((_, s) => [ZERO, s]),
  's is the order': paired((r) => [r, ORDER]),
  'the signature of another body': (key, body) => [`X-Stamp: ${stamp(key, Buffer.concat([body, Buffer.from(' ')]))}`],
  'the signature of another key': (key, body) => line({ ...contentOf(stranger, body), publicKey: key.publicKey }),
  'a key that nobody registered': (_, body) => [`X-Stamp: ${stamp(stranger, body)}`],
  'a key of another curve': (_, body) => [`X-Stamp: ${stamp(neighbour, body)}`],
  'two stamps': (key, body) => [`X-Stamp: ${stamp(key, body)}`, `X-Stamp: ${stamp(key, body)}`],
  'two kinds of stamp': (key, body) => [`X-Stamp: ${stamp(key, body)}`, 'X-Stamp-WebAuthn: {}'],
  'a stamp in the header of another kind': (key, body) => [`X-Stamp-Attested: ${stamp(key, body)}`],
}
