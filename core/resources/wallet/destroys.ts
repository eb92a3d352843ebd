import * as t from '../../codec/t.ts'
import { port } from '../../definition/port.ts'
import { refuse, valueOf } from '../../definition/refuse.ts'
import { DESTROYING, type Destroying } from './destroying.ts'

const FIRST_PAUSE_MS = 1_000
const HOUR_MS = 60 * 60 * 1000

/** How work outside destroys secrets: it is repeated until it is done, because half of them may be gone. */
const destroys = {
  outside: true,
  needs: { [DESTROYING]: port<Destroying>() },
  resumeAfterMs: (attempt: number) => Math.min(HOUR_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1)),
  attemptsMax: Number.MAX_SAFE_INTEGER,
  whenInterrupted: 'retry',
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
