import { createHash } from 'node:crypto'
import { keystoreOf, newKey } from '../../../adapters/keyring/keystore-keys.ts'
import { openedEnvelope } from '../../../adapters/keyring/envelope.ts'
import { decryptWith } from '../../../adapters/keyring/hpke.ts'
import { keyThread } from '../../../adapters/keyring/key-thread.ts'
import { keyringOn, type NodeKeyring } from '../../../adapters/keyring/node-keyring.ts'
import { decodeHex } from '../../../core/bytes.ts'
import { newPrivateKey, publicKeyOf, randomBytesOf, uncompressed } from '../../../core/keys/public-key.ts'
import { sign } from '../../../core/keys/signing.ts'
import type { Keyring, KeyPath, KeyPlace } from '../../../core/ports/keyring.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { E, TE } from '../../../core/prelude.ts'
import { counted } from './under-way.ts'
import { sealedOf } from '../../sealed-of.ts'

/** One for all engines of a test: those that share a store have to share it. */
const keystore = keystoreOf(TE.right([newKey()]))

/** One for all engines of a test, because to start one takes longer than most tests. It ends with the process. */
const thread = { ...keyThread(), close: () => Promise.resolve() }

/** The keyring of an engine of tests. Its thread begins when a key is first used. */
export const testKeyring = (storage: Storage): NodeKeyring => counted(stoppableKeyring(storage))

/** As `testKeyring`, for rows that a test stops: nobody waits for it to be quiet. */
export const stoppableKeyring = (storage: Storage): NodeKeyring =>
  keyringOn(thread, { sealed: sealedOf(storage), keystore })

/** A keyring whose keys follow from their names, and those that it issues from how many there were before, for tests without a store. */
export const knownKeyring = (): Keyring => {
  const keyAt = ({ organizationId, keyId }: KeyPlace, { curve, path }: KeyPath): Uint8Array => {
    const hash = createHash('sha512')
      .update(JSON.stringify([organizationId, keyId, curve, path]))
      .digest()
    return newPrivateKey(curve, Uint8Array.from(hash.subarray(0, randomBytesOf(curve))))
  }
  let issued = 0
  return {
    issueKey: (to) => {
      issued += 1
      const key = keyAt({ organizationId: '', keyId: `${issued} to ${to}` }, { curve: 'CURVE_P256' })
      return TE.right({
        publicKey: publicKeyOf('CURVE_P256', key),
        encrypted: { encappedPublic: to, ciphertext: '00'.repeat(48) },
      })
    },
    open: (bytes, encrypted) => async () => {
      const privateKey = newPrivateKey('CURVE_P256', bytes)
      const point = uncompressed('CURVE_P256', publicKeyOf('CURVE_P256', privateKey))
      return E.right(await decryptWith(privateKey, decodeHex(point) ?? new Uint8Array(), encrypted))
    },
    openEnvelope: (place, envelope) => TE.right(openedEnvelope(keyAt(place, { curve: 'CURVE_P256' }), envelope)),
    encryptTo: (to) => TE.right({ encappedPublic: to, ciphertext: '00'.repeat(48) }),
    makeSeed: () => TE.right(undefined),
    makeKey: () => TE.right(undefined),
    makeTarget: () => TE.right(undefined),
    deleteTarget: () => TE.right(undefined),
    importSecret: () => TE.right(undefined),
    exportSecret: (place, going, to) => TE.right({ encappedPublic: to, ciphertext: JSON.stringify([place, going]) }),
    publicKeys: (place, of) => TE.right(of.map((path) => publicKeyOf(path.curve, keyAt(place, path)))),
    sign: (place, path, scheme, messages) =>
      TE.right(
        messages.map((message) => sign(scheme, path.curve, keyAt(place, path), decodeHex(message) ?? new Uint8Array())),
      ),
  }
}
