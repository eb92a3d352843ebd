import * as t from '../../codec/t.ts'
import { shownTimes, timesOf } from '../records.ts'
import { Curve } from '../wallet/key-codecs.ts'
import { Address, type PrivateKey } from './private-keys.ts'

/** A private key as the wire shows it. */
export const PrivateKeyView = t.named(
  'PrivateKey',
  t.fields({
    privateKeyId: t.Uuid,
    publicKey: t.string,
    privateKeyName: t.string,
    curve: Curve,
    addresses: t.readonlyArray(Address),
    privateKeyTags: t.readonlyArray(t.Uuid),
    exported: t.boolean,
    imported: t.boolean,
    ...shownTimes,
  }),
)
type PrivateKeyView = t.TypeOf<typeof PrivateKeyView>

export const privateKeyView = (key: PrivateKey): PrivateKeyView => ({
  privateKeyId: key.privateKeyId,
  publicKey: key.shownPublicKey,
  privateKeyName: key.privateKeyName,
  curve: key.curve,
  addresses: key.addresses,
  privateKeyTags: key.tagIds,
  exported: key.exported,
  imported: key.imported,
  ...timesOf(key),
})
