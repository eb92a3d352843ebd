import * as t from '../../codec/t.ts'
import { port } from '../../definition/port.ts'
import { refuse, valueOf } from '../../definition/refuse.ts'
import { untilDone } from '../until-done.ts'
import { DESTROYING, type Destroying } from './destroying.ts'

/** How work outside destroys secrets. */
const destroys = {
  ...untilDone(1_000),
  needs: { [DESTROYING]: port<Destroying>() },
  performed: t.fields({}),
} as const

/** As `destroys`, for the secrets that `check` names. */
export const destroysKeys = {
  ...destroys,
  run: async (
    { organizationId, keyIds }: { readonly organizationId: string; readonly keyIds: readonly string[] },
    { ports }: { readonly ports: { readonly [DESTROYING]: Destroying } },
  ): Promise<Record<never, never>> => {
    valueOf(await ports[DESTROYING].destroy(organizationId, keyIds)())
    return {}
  },
}

/** As `destroys`, for all secrets of the organization whose id `check` gives. */
export const destroysAll = {
  ...destroys,
  run: async (
    organizationId: string,
    { ports }: { readonly ports: { readonly [DESTROYING]: Destroying } },
  ): Promise<Record<never, never>> => {
    valueOf(await ports[DESTROYING].destroyAll(organizationId)())
    return {}
  },
}

/** Refuses to delete what nobody has exported, unless the request says that it may go. */
export const checkExported = (
  things: readonly { readonly exported: boolean }[],
  withoutExport: boolean | undefined,
  what: string,
): void => {
  if (withoutExport === true || things.every(({ exported }) => exported)) return
  throw refuse('WALLET_ACCOUNT_NOT_EXPORTED', `${what} has not been exported`)
}
