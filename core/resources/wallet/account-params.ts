import * as t from '../../codec/t.ts'
import { refuse } from '../../definition/refuse.ts'
import type { ExecuteContext } from '../../definition/operation.ts'
import { addressOf } from '../../keys/address-formats.ts'
import { parsePath } from '../../keys/path.ts'
import type { Organization } from '../../organization/state.ts'
import type { KeyPath } from '../../ports/keyring.ts'
import { signersNamed } from '../signing/signers.ts'
import { AddressFormatName, Curve, hasFormat, PathFormat } from './key-codecs.ts'
import { walletAccounts, type NewAccount } from './wallets.ts'

const Path = t.refined(t.string, "a path such as m/44'/60'/0'/0/0", (text) => parsePath(text) !== undefined)

export const AccountParams = t.fields(
  { curve: Curve, pathFormat: PathFormat, path: Path, addressFormat: AddressFormatName },
  { name: t.LabelOrEmpty },
  ({ curve, addressFormat }) =>
    hasFormat(curve, addressFormat) ? undefined : { member: 'addressFormat', expected: 'a format of this curve' },
)
export type AccountParams = t.TypeOf<typeof AccountParams>

/** Refuses what is known of new accounts before there are keys: names that are taken, and accounts that come twice. */
export const checkAccounts = (
  field: string,
  accounts: readonly AccountParams[],
  { organization }: { readonly organization: Organization },
): void => {
  const names = new Set<string>()
  if (accounts.some(({ name }) => Boolean(name)))
    for (const { account } of walletAccounts.of(organization).values()) names.add(account.name ?? '')
  const seen = new Set<string>()
  for (const [index, { curve, path, addressFormat, name }] of accounts.entries()) {
    if (name && names.has(name)) throw refuse.notUnique(`${field}.${index}.name`)
    names.add(name ?? '')
    const key = JSON.stringify([curve, path, addressFormat])
    if (seen.has(key)) throw refuse.field(`${field}.${index}`, 'each path and format once')
    seen.add(key)
  }
}

export const keyPathsOf = (accounts: readonly AccountParams[]): readonly KeyPath[] =>
  accounts.map(({ curve, path }) => ({ curve, path }))

/** Refuses accounts that their wallet has already: `ALREADY_EXISTS`. */
export const checkNew = (accounts: readonly NewAccount[], organization: Organization): void => {
  for (const { address, walletId, path, addressFormat } of accounts) {
    const twin = signersNamed(organization, address).find((id) => {
      const one = walletAccounts.of(organization).get(id)?.account
      return one?.walletId === walletId && one.path === path && one.addressFormat === addressFormat
    })
    if (twin !== undefined) throw refuse('ALREADY_EXISTS', `path already exists in wallet account ${twin}`)
  }
}

/** The accounts with ids and addresses. */
export const newAccounts = (
  accounts: readonly AccountParams[],
  walletId: string,
  publicKeys: readonly string[],
  { ids }: Pick<ExecuteContext<unknown>, 'ids'>,
): readonly NewAccount[] =>
  accounts.map(({ name, ...params }, index) => {
    const publicKey = publicKeys[index] ?? ''
    const address = addressOf(params.addressFormat, params.curve, publicKey)
    return { walletAccountId: ids(), walletId, ...params, address, publicKey, name: name || undefined }
  })
