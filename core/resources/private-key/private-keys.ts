import * as t from '../../codec/t.ts'
import { state, type DeepReadonly, type Draft } from '../../organization/state.ts'
import { times } from '../records.ts'
import { addSigner, removeSigner } from '../signing/signers.ts'
import { AddressFormatName, Curve } from '../wallet/key-codecs.ts'

export const Address = t.fields({ format: AddressFormatName, address: t.string })

const members = {
  privateKeyId: t.string,
  privateKeyName: t.string,
  curve: Curve,
  /** Compressed, in hex; of ed25519, 32 bytes. */
  publicKey: t.string,
  /** As the wire shows it: not compressed, where the curve has such a form. */
  shownPublicKey: t.string,
  addresses: t.array(Address),
  tagIds: t.array(t.string),
}

/** A new private key as a result shows it. */
export const CreatedPrivateKey = t.fields({ privateKeyId: t.string, addresses: t.array(Address) })
export type CreatedPrivateKey = t.TypeOf<typeof CreatedPrivateKey>

export const createdOf = ({ privateKeyId, addresses }: CreatedPrivateKey): CreatedPrivateKey => ({
  privateKeyId,
  addresses,
})

/** A private key in a change. */
export const NewPrivateKey = t.fields(members)
export type NewPrivateKey = t.TypeOf<typeof NewPrivateKey>

const PrivateKey = t.fields({
  ...members,
  isDisabled: t.boolean,
  exported: t.boolean,
  imported: t.boolean,
  ...times,
})
export type PrivateKey = DeepReadonly<t.TypeOf<typeof PrivateKey>>

/** Private keys by id, in order of creation. Their secrets are with the keyring, under the same ids. */
export const privateKeys = state({
  name: 'private-keys',
  version: 1,
  codec: t.mapOf(PrivateKey),
  initial: () => new Map(),
})

export const addPrivateKey = (draft: Draft, key: NewPrivateKey, atMs: number, imported = false): void => {
  const state = { isDisabled: false, exported: false, imported, createdAtMs: atMs, updatedAtMs: atMs }
  privateKeys.in(draft).set(key.privateKeyId, { ...key, ...state })
  addSigner(draft, key.privateKeyId, namesOf(key))
}

export const removePrivateKey = (draft: Draft, id: string): void => {
  const found = privateKeys.of(draft).get(id)
  if (found !== undefined) removeSigner(draft, id, namesOf(found))
  privateKeys.in(draft).delete(id)
}

/** What names the key in `signWith`. */
const namesOf = ({
  privateKeyId,
  publicKey,
  shownPublicKey,
  addresses,
}: Pick<PrivateKey, 'privateKeyId' | 'publicKey' | 'shownPublicKey' | 'addresses'>): readonly string[] => [
  privateKeyId,
  publicKey,
  shownPublicKey,
  ...addresses.map(({ address }) => address),
]
