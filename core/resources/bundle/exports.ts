import { valueOf } from '../../definition/refuse.ts'
import type { Going, Keyring } from '../../ports/keyring.ts'
import { insideWork, needsKeyring } from '../inside-work.ts'
import { isBundleWith, type BundleData } from './bundle.ts'
import { bringBundles, BroughtBundles } from './bundle-for.ts'

/** What goes out, each to a public key in the form of bundles. */
type ToExport = {
  readonly organizationId: string
  readonly exports: readonly { readonly keyId: string; readonly going: Going; readonly to: string }[]
}

/** What the operations have in common that give secrets, encrypted to keys of a client. @param keysOf  these keys */
export const exportsTo = <I>(keysOf: (intent: I) => readonly string[]) => ({
  action: 'EXPORT',
  subjects: () => [],
  paramNames: ['target_public_key?'],
  params: (intent: I): { readonly target_public_key?: string } => {
    const [only, ...others] = new Set(keysOf(intent))
    return only === undefined || others.length > 0 ? {} : { target_public_key: only }
  },

  perform: {
    ...insideWork,
    ...needsKeyring,
    performed: BroughtBundles,
    run: async (
      { organizationId, exports }: ToExport,
      { ports: { keyring }, requester }: { readonly ports: { readonly keyring: Keyring }; readonly requester: string },
    ): Promise<BroughtBundles> => {
      const data: BundleData[] = []
      for (const { keyId, going, to } of exports)
        data.push({ ...valueOf(await keyring.exportSecret({ organizationId, keyId }, going, to)()), organizationId })
      return bringBundles(keyring, requester, data)
    },
  },
  verify: async ({ bundles }: BroughtBundles, _: I, { organizationId, exports }: ToExport) =>
    bundles.length === exports.length && bundles.every((bundle) => isBundleWith(bundle, { organizationId })),
})
