import * as t from '../../codec/t.ts'
import type { ExecuteContext } from '../../definition/operation.ts'
import { valueOf } from '../../definition/refuse.ts'
import { uncompressed } from '../../keys/public-key.ts'
import type { Draft } from '../../organization/state.ts'
import type { Keyring } from '../../ports/keyring.ts'
import { insideWork, needsKeyring } from '../inside-work.ts'
import { isBundleWith } from './bundle.ts'
import { bringBundles, broughtBundles } from './bundle-for.ts'
import { beginTargets, importLimits, ImportTarget, targetsOf, type ImportKind } from './import-targets.ts'

/** What the keyring needs to begin an import, and whom it is for. */
type ToBegin = {
  readonly organizationId: string
  readonly userId: string
  readonly targetIds: readonly string[]
  readonly replaced: readonly string[]
}

const Brought = t.fields({ ...broughtBundles, publicKeys: t.array(t.string) })
export type BroughtTargets = t.TypeOf<typeof Brought>

const Change = t.fields({ userId: t.string, targets: t.array(ImportTarget), expiresAtMs: t.number })

/**
 * What the operations have in common that begin an import: they make keys to which a client encrypts, and tell them in bundles. Beginning again
 * replaces the keys, so there are never more of them than of users.
 */
export const beginsImport = (kind: ImportKind) => ({
  action: 'IMPORT',
  change: Change,
  subjects: () => [],

  /** What the keyring needs for so many targets of a user. */
  toBegin: (
    { organization, ids }: Pick<ExecuteContext<unknown>, 'organization' | 'ids'>,
    userId: string,
    count = 1,
  ): ToBegin => ({
    organizationId: organization.organizationId,
    userId,
    targetIds: Array.from({ length: count }, () => ids()),
    replaced: targetsOf(organization, userId, kind).map(({ targetId }) => targetId),
  }),

  perform: {
    ...insideWork,
    ...needsKeyring,
    performed: Brought,
    run: async (
      { organizationId, userId, targetIds, replaced }: ToBegin,
      { ports: { keyring }, requester }: { readonly ports: { readonly keyring: Keyring }; readonly requester: string },
    ): Promise<BroughtTargets> => {
      const publicKeys: string[] = []
      for (const keyId of targetIds) {
        valueOf(await keyring.makeTarget({ organizationId, keyId })())
        const keys = valueOf(await keyring.publicKeys({ organizationId, keyId }, [{ curve: 'CURVE_P256' }])())
        publicKeys.push(uncompressed('CURVE_P256', keys[0] ?? ''))
      }
      // A body that comes again, to a process that takes it for a new one, finds its own targets in the state.
      for (const keyId of replaced.filter((one) => !targetIds.includes(one)))
        valueOf(await keyring.deleteTarget({ organizationId, keyId })())
      const data = publicKeys.map((targetPublic) => ({ targetPublic, organizationId, userId }))
      return { publicKeys, ...(await bringBundles(keyring, requester, data)) }
    },
  },
  verify: async ({ publicKeys, bundles }: BroughtTargets, _: unknown, { organizationId, userId, targetIds }: ToBegin) =>
    publicKeys.length === targetIds.length &&
    bundles.length === publicKeys.length &&
    publicKeys.every((targetPublic, index) =>
      isBundleWith(bundles[index] ?? '', { targetPublic, organizationId, userId }),
    ),

  /** The targets, and how long they are good. They have ids in the order of `toBegin`. */
  begun: (
    userId: string,
    { performed, ids, atMs, limits }: Pick<ExecuteContext<BroughtTargets>, 'performed' | 'ids' | 'atMs' | 'limits'>,
  ): t.TypeOf<typeof Change> => ({
    userId,
    targets: performed.publicKeys.map((publicKey) => ({ targetId: ids(), publicKey })),
    expiresAtMs: atMs + importLimits.of({ limits }).importTargetSeconds * 1_000,
  }),

  evolve: (draft: Draft, { userId, ...begun }: t.TypeOf<typeof Change>): void =>
    beginTargets(draft, userId, kind, begun),
})
