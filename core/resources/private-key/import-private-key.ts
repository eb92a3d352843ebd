import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { refusal, valueOf } from '../../definition/refuse.ts'
import { failure, type Failure } from '../../failure.ts'
import { EncryptedBundle, encryptedOf } from '../bundle/bundle.ts'
import { checkOwn } from '../bundle/check-own.ts'
import { endTargets, goodTarget } from '../bundle/import-targets.ts'
import { insideWork, needsKeyring } from '../inside-work.ts'
import { Curve } from '../wallet/key-codecs.ts'
import { areKeysOf } from '../wallet/new-wallet.ts'
import { areFormatsOf, Formats, newPrivateKeys, privateKeysToMake, type PrivateKeysIntent } from './new-private-keys.ts'
import { addPrivateKey, Address, createdOf, NewPrivateKey, privateKeys } from './private-keys.ts'

const Intent = t.fields(
  {
    userId: t.Uuid,
    privateKeyName: t.Label,
    encryptedBundle: EncryptedBundle,
    curve: Curve,
    addressFormats: Formats,
  },
  {},
  areFormatsOf,
)
type Intent = t.TypeOf<typeof Intent>

export const importPrivateKey = operation({
  type: 'ACTIVITY_TYPE_IMPORT_PRIVATE_KEY',
  path: 'import_private_key',
  summary: 'Keeps the private key that a client has encrypted.',
  resource: 'PRIVATE_KEY',
  action: 'IMPORT',
  intent: Intent,
  result: t.fields({ privateKeyId: t.string, addresses: t.array(Address) }),
  change: t.fields({ privateKey: NewPrivateKey, userId: t.string, targetId: t.string }),

  check: (intent, context) => {
    checkOwn(intent.userId, context)
    const all = privateKeys.of(context.organization).values()
    return {
      ...privateKeysToMake(wanted(intent), context, ''),
      targetId: goodTarget(context, intent.userId, 'private-key').targetId,
      encrypted: encryptedOf(intent.encryptedBundle),
      known: [...all].map(({ curve, publicKey, privateKeyId }) => ({ curve, publicKey, privateKeyId })),
    }
  },
  perform: {
    ...insideWork,
    ...needsKeyring,
    performed: t.fields({ publicKey: t.string }),
    run: async ({ organizationId, keys, targetId, encrypted, known }, { ports: { keyring }, activityId, atMs }) => {
      let publicKey = ''
      for (const { keyId, curve } of keys) {
        const place = { organizationId, keyId }
        const from = { encrypted, arrival: { activityId, atMs, targetId } }
        const refusal = (key: string): Failure | undefined => twinOf({ curve, publicKey: key }, known)
        valueOf(await keyring.importSecret(place, { _tag: 'private-key', curve }, from, refusal)())
        publicKey = valueOf(await keyring.publicKeys(place, [{ curve }])())[0] ?? ''
      }
      return { publicKey }
    },
  },
  addresses: (_, { addresses }) => addresses.map(({ address }) => ({ address })),
  verify: async ({ publicKey }, _, { keys }) => areKeysOf([publicKey], keys),

  execute: (intent, context) => {
    const [privateKey] = newPrivateKeys(wanted(intent), [context.performed.publicKey], context)
    if (privateKey === undefined) throw new Error('there is one') // a bug of ours
    const twin = twinOf(privateKey, privateKeys.of(context.organization).values())
    if (twin !== undefined) throw refusal(twin)
    const { targetId } = goodTarget(context, intent.userId, 'private-key')
    return { result: createdOf(privateKey), change: { privateKey, userId: intent.userId, targetId } }
  },

  evolve: (draft, { privateKey, userId, targetId }, { atMs }) => {
    addPrivateKey(draft, privateKey, atMs, true)
    endTargets(draft, userId, 'private-key', [targetId])
  },
})

/** As a request that makes one. */
const wanted = ({ privateKeyName, curve, addressFormats }: Intent): PrivateKeysIntent => ({
  privateKeys: [{ privateKeyName, curve, addressFormats, privateKeyTags: [] }],
})

type Known = Pick<NewPrivateKey, 'curve' | 'publicKey'>

/** Why a key is not kept that is there already. */
const twinOf = (
  { curve, publicKey }: Known,
  known: Iterable<Known & { readonly privateKeyId: string }>,
): Failure | undefined => {
  for (const one of known)
    if (one.curve === curve && one.publicKey === publicKey)
      return failure(
        'ALREADY_EXISTS',
        `private key with ID ${one.privateKeyId} has already been imported in this organization`,
      )
  return undefined
}
