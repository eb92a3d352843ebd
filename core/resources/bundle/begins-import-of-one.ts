import * as t from '../../codec/t.ts'
import type { ExecuteContext } from '../../definition/operation.ts'
import { users } from '../../organization/users.ts'
import { beginsImport, type BroughtTargets } from './begins-import.ts'
import { Bundle, forRequester, shownBundle } from './bundle-for.ts'

/** As `beginsImport`, for one wallet or private key of the user whom the request names. */
export const beginsImportOfOne = (kind: 'wallet' | 'private-key') => {
  const { toBegin, begun, ...begins } = beginsImport(kind)
  return {
    ...begins,
    intent: t.fields({ userId: t.Uuid }),
    result: t.fields({ ...forRequester, importBundle: Bundle }),

    check: (
      { userId }: { readonly userId: string },
      context: Pick<ExecuteContext<unknown>, 'organization' | 'ids' | 'find'>,
    ) => {
      context.find('user', users, userId)
      return toBegin(context, userId)
    },

    execute: ({ userId }: { readonly userId: string }, context: ExecuteContext<BroughtTargets>) => {
      const { requesterId, bundles } = context.performed
      return { result: { requesterId, importBundle: bundles[0] ?? '' }, change: begun(userId, context) }
    },

    encodeResult: ({ importBundle }: { readonly importBundle: string }) => ({
      importBundle: shownBundle(importBundle),
    }),
  }
}
