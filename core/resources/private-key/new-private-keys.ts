import * as t from '../../codec/t.ts'
import type { ExecuteContext } from '../../definition/operation.ts'
import { refuse, valueOf } from '../../definition/refuse.ts'
import { addressOf, type AddressFormat } from '../../keys/address-formats.ts'
import type { KeyCurve } from '../../keys/curve.ts'
import { uncompressed } from '../../keys/public-key.ts'
import type { Keyring } from '../../ports/keyring.ts'
import { checkQuota } from '../check-quota.ts'
import { privateKeyTags } from '../private-key-tag/private-key-tags.ts'
import { uniqueName } from '../unique-name.ts'
import { AddressFormatName, Curve, hasFormat, notTooMany } from '../wallet/key-codecs.ts'
import { privateKeyLimits } from './private-key-limits.ts'
import { privateKeys, type NewPrivateKey } from './private-keys.ts'

export const Formats = t.list(AddressFormatName)

/** Refuses formats that come twice, or are of another curve. */
export const areFormatsOf = ({
  curve,
  addressFormats,
}: {
  readonly curve: KeyCurve
  readonly addressFormats: readonly AddressFormat[]
}) => {
  const isRight = addressFormats.every((format) => hasFormat(curve, format))
  const isOnce = new Set(addressFormats).size === addressFormats.length
  return isRight && isOnce ? undefined : { member: 'addressFormats', expected: 'formats of this curve, each once' }
}

export const PrivateKeyParams = t.fields(
  { privateKeyName: t.Label, curve: Curve, privateKeyTags: t.Uuids, addressFormats: Formats },
  {},
  areFormatsOf,
)
export type PrivateKeyParams = t.TypeOf<typeof PrivateKeyParams>

export type PrivateKeysIntent = { readonly privateKeys: readonly PrivateKeyParams[] }
export const PrivateKeysIntent = t.fields({ privateKeys: t.some(PrivateKeyParams) }, {}, ({ privateKeys: added }) =>
  notTooMany('privateKeys', added),
)

export const checkPrivateKeyName = uniqueName(privateKeys, ({ privateKeyName }) => privateKeyName)

/** What the keyring needs for new private keys, if nothing is against them. @param prefix  of the members */
export const privateKeysToMake = (
  { privateKeys: added }: { readonly privateKeys: readonly PrivateKeyParams[] },
  context: Pick<ExecuteContext<unknown>, 'organization' | 'ids' | 'limits' | 'findAll'>,
  prefix?: string,
) => {
  const { organization } = context
  checkQuota(privateKeys.of(organization).size + added.length, privateKeyLimits.of(context).privateKeys, 'private keys')
  const names = new Set<string>()
  for (const [index, { privateKeyName, privateKeyTags: tags }] of added.entries()) {
    const field = `${prefix ?? `privateKeys.${index}.`}privateKeyName`
    if (names.has(privateKeyName)) throw refuse.notUnique(field)
    names.add(privateKeyName)
    checkPrivateKeyName(field, privateKeyName, organization)
    context.findAll('private key tag', privateKeyTags, tags)
  }
  const { organizationId } = organization
  return { organizationId, keys: added.map(({ curve }) => ({ keyId: context.ids(), curve })) }
}
export type PrivateKeysToMake = ReturnType<typeof privateKeysToMake>

/** Makes the keys, which are durable when this ends; gives their public keys. */
export const makePrivateKeys = async (
  keyring: Keyring,
  {
    organizationId,
    keys,
  }: {
    readonly organizationId: string
    readonly keys: readonly { readonly keyId: string; readonly curve: KeyCurve }[]
  },
): Promise<string[]> => {
  const publicKeys: string[] = []
  for (const { keyId, curve } of keys) {
    const place = { organizationId, keyId }
    valueOf(await keyring.makeKey(place, curve)())
    publicKeys.push(...valueOf(await keyring.publicKeys(place, [{ curve }])()))
  }
  return publicKeys
}

/** The keys with their addresses. It draws the ids in the order of `privateKeysToMake`. */
export const newPrivateKeys = (
  { privateKeys: added }: { readonly privateKeys: readonly PrivateKeyParams[] },
  publicKeys: readonly string[],
  { ids }: Pick<ExecuteContext<unknown>, 'ids'>,
): NewPrivateKey[] =>
  added.map(({ privateKeyName, curve, privateKeyTags: tagIds, addressFormats }, index) => {
    const publicKey = publicKeys[index] ?? ''
    return {
      privateKeyId: ids(),
      privateKeyName,
      curve,
      publicKey,
      shownPublicKey: uncompressed(curve, publicKey),
      addresses: addressFormats.map((format) => ({ format, address: addressOf(format, curve, publicKey) })),
      tagIds,
    }
  })
