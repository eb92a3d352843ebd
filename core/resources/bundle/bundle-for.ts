import * as t from '../../codec/t.ts'
import { valueOf } from '../../definition/refuse.ts'
import type { Keyring } from '../../ports/keyring.ts'
import { publicHalf } from '../deployment-key/deployment-keys.ts'
import { signedBundle, type BundleData } from './bundle.ts'

/*
 * Bundles stand in a personal part of their requester, never in a line: so they can be erased.
 */

/** The members of what work brings, and of results, that say whose the bundles are. */
export const forRequester = { requesterId: t.subject(t.string) }
export const Bundle = t.personal(t.string, '')
export const Bundles = t.personal(t.array(t.string), [])

/** What the work of an operation brings that gives bundles. */
export const broughtBundles = { ...forRequester, bundles: Bundles }
export const BroughtBundles = t.fields(broughtBundles)
export type BroughtBundles = t.TypeOf<typeof BroughtBundles>

export const bringBundles = async (
  keyring: Keyring,
  requesterId: string,
  data: readonly BundleData[],
): Promise<BroughtBundles> => {
  const bundles: string[] = []
  const signer = valueOf(await publicHalf(keyring, 'signer')())
  for (const one of data) bundles.push(await signedBundle(keyring, signer, one))
  return { requesterId, bundles }
}

/** As answers show bundles, of which there is one at least: null once they were erased. */
export const shownBundles = (bundles: readonly string[]): string[] | null =>
  bundles.length === 0 ? null : [...bundles]

/** As `shownBundles`, for one. */
export const shownBundle = (bundle: string): string | null => (bundle === '' ? null : bundle)
