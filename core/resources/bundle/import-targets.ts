import * as t from '../../codec/t.ts'
import { limits } from '../../definition/limits.ts'
import { refuse } from '../../definition/refuse.ts'
import type { ExecuteContext } from '../../definition/operation.ts'
import { state, type Draft, type Organization } from '../../organization/state.ts'

export const importLimits = limits({
  importTargetSeconds: {
    default: 3_600,
    about: 'How long the key is good to which a client encrypts what it imports.',
  },
})

export type ImportKind = 'wallet' | 'private-key' | 'secret'

/** A key to which a client encrypts one thing. Its private half is with the keyring, under its id. */
export const ImportTarget = t.fields({ targetId: t.string, publicKey: t.string })
export type ImportTarget = t.TypeOf<typeof ImportTarget>

const Begun = t.fields({ targets: t.array(ImportTarget), expiresAtMs: t.number })

/** The targets of imports that were begun, by user and kind. Beginning again replaces them; an import ends those that it has used. */
const importTargets = state({
  name: 'import-targets',
  version: 1,
  codec: t.mapOf(Begun),
  initial: () => new Map<string, t.TypeOf<typeof Begun>>(),
})
export { importTargets }

const keyOf = (userId: string, kind: ImportKind): string => `${kind} ${userId}`

/** All targets of the user, good or over. */
export const targetsOf = (organization: Organization, userId: string, kind: ImportKind): readonly ImportTarget[] =>
  importTargets.of(organization).get(keyOf(userId, kind))?.targets ?? []

/**
 * The target of an import that is good now.
 *
 * @param publicKey  where there are several, in the form of bundles
 */
export const goodTarget = (
  { organization, atMs }: Pick<ExecuteContext<unknown>, 'organization' | 'atMs'>,
  userId: string,
  kind: ImportKind,
  publicKey?: string,
): ImportTarget => {
  const { targets = [], expiresAtMs = 0 } = importTargets.of(organization).get(keyOf(userId, kind)) ?? {}
  const target = targets.find((one) => publicKey === undefined || one.publicKey === publicKey)
  if (target === undefined || atMs >= expiresAtMs)
    throw refuse('REQUEST_INVALID', `no import was begun that is good now: begin one by init_import_${PATHS[kind]}`)
  return target
}

const PATHS = { wallet: 'wallet', 'private-key': 'private_key', secret: 'secrets' } as const

export const beginTargets = (draft: Draft, userId: string, kind: ImportKind, begun: t.TypeOf<typeof Begun>): void =>
  void importTargets.in(draft).set(keyOf(userId, kind), begun)

/** Ends targets: nobody imports with them again. */
export const endTargets = (draft: Draft, userId: string, kind: ImportKind, ended: readonly string[]): void => {
  const begun = importTargets.of(draft).get(keyOf(userId, kind))
  if (begun === undefined) return
  const left = begun.targets.filter(({ targetId }) => !ended.includes(targetId))
  if (left.length === 0) importTargets.in(draft).delete(keyOf(userId, kind))
  else importTargets.in(draft).set(keyOf(userId, kind), { targets: [...left], expiresAtMs: begun.expiresAtMs })
}
