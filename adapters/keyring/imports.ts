import { failure, type Failure } from '../../core/failure.ts'
import type { Coming, Keyring, KeyPlace } from '../../core/ports/keyring.ts'
import { readKind } from '../../core/ports/imported-kind.ts'
import type { SealedRow, SealedRows } from '../../core/ports/sealed-rows.ts'
import { E, TE, pipe } from '../../core/prelude.ts'
import type { DataKeys } from './data-keys.ts'
import { IMPORT_TARGET } from './secrets.ts'
import { missing, sealedPlaceOf, type UseKey } from './stored-key.ts'

type Ports = { readonly rows: SealedRows; readonly dataKeys: DataKeys; readonly use: UseKey }

/** What a keyring does to bring secrets in. */
export const imports = ({ rows, dataKeys, use }: Ports): Pick<Keyring, 'deleteTarget' | 'importSecret'> => {
  const targetAt = (place: KeyPlace): TE.TaskEither<Failure, SealedRow | undefined> =>
    pipe(
      rows.get(sealedPlaceOf(place)),
      TE.map((row) => (row?.kind === IMPORT_TARGET ? row : undefined)),
    )
  const deleteTarget: Keyring['deleteTarget'] = (place) =>
    pipe(
      targetAt(place),
      TE.flatMap((row) => (row === undefined ? TE.right(undefined) : rows.delete(row))),
    )

  /** Opens, seals and stores a secret whose id has none. */
  const opening: Keyring['importSecret'] = (place, coming, from, refusal) => async () => {
    const target = { organizationId: place.organizationId, keyId: from.arrival.targetId }
    const targetRow = await targetAt(target)()
    if (E.isLeft(targetRow)) return targetRow
    if (targetRow.right === undefined) return E.left(targetGone)
    const dataKey = await dataKeys.own()
    if (E.isLeft(dataKey)) return dataKey
    const importing = { ...from, coming, place: sealedPlaceOf(place), dataKey: dataKey.right }
    const imported = await use(target, 'decrypt', importing)()
    // Another import may have ended it since.
    if (E.isLeft(imported)) return imported.left.code === 'KEY_MISSING' ? E.left(targetGone) : imported
    const { right: secret } = imported
    if ('refused' in secret && secret.refused === 'does not open') return E.left(doesNotOpen)
    const refused =
      'refused' in secret ? notASecret(coming) : coming._tag === 'secret' ? undefined : refusal(secret.publicKey)
    const put = 'refused' in secret || refused !== undefined ? E.right(undefined) : await rows.put(secret.row)()
    if (E.isLeft(put)) return put
    const deleted = await deleteTarget(target)()
    if (E.isLeft(deleted)) return deleted
    if (refused !== undefined) return E.left(refused)
    return put.right === 'gone' ? E.left(missing) : E.right(undefined)
  }

  /** Deletes the target by which a row came. A repeated body may name another one, which was made since. */
  const endTargetOf = ({ organization, kind }: SealedRow): TE.TaskEither<Failure, void> => {
    const { arrival } = readKind(kind)
    return arrival === undefined
      ? TE.right(undefined)
      : deleteTarget({ organizationId: organization, keyId: arrival.targetId })
  }

  return {
    deleteTarget,
    importSecret: (place, coming, from, refusal) => async () => {
      const own = await rows.get(sealedPlaceOf(place))()
      if (E.isLeft(own)) return own
      if (own.right !== undefined) return endTargetOf(own.right)()
      const opened = await opening(place, coming, from, refusal)()
      if (E.isRight(opened)) return opened
      // Where another process imports the same meanwhile, its row is there before the target is gone.
      const now = await rows.get(sealedPlaceOf(place))()
      return E.isRight(now) && now.right !== undefined ? E.right(undefined) : opened
    },
  }
}

const targetGone = failure(
  'REQUEST_INVALID',
  'the bundle was encrypted to a target that was used or replaced: begin the import again',
)
const doesNotOpen = failure(
  'REQUEST_INVALID',
  'the bundle does not open: it was encrypted to another target, or changed',
)
/** It says nothing of what came. */
const notASecret = ({ _tag }: Coming): Failure =>
  failure(
    'REQUEST_INVALID',
    _tag === 'mnemonic'
      ? 'the bundle has no mnemonic of BIP-39 with 12 to 24 words and a right checksum'
      : 'the bundle has no private key of this curve',
  )
