import * as t from 'io-ts'
import type { ReadModels } from '../../core/ports/read-models.ts'
import { E } from '../../core/prelude.ts'
import { Refusal } from '../../core/ports/refusal.ts'
import { value } from './failures.ts'
import { STATE } from './index-rows.ts'

/** Up to which event links were written: its position, and its UUID. */
export type LinksMark = { readonly position: bigint; readonly id: string }

export type LinksMarks = {
  /** `undefined` if none were written, or if it was thrown away with the read models. */
  readonly read: () => Promise<LinksMark | undefined>
  /** Another process may have moved it: then it stays as that one has put it. */
  readonly move: (to: LinksMark) => Promise<void>
  readonly drop: () => Promise<void>
}

/** The projection of one row, in the borrowed read models. */
const LINKS = '$countersign.links@1'

const Mark = t.type({ position: t.string, id: t.string })

export const linksMarks = (readModels: ReadModels): LinksMarks => ({
  read: async () => {
    const found = Mark.decode(await value(readModels.row(LINKS, STATE, 'mark')))
    return E.isRight(found) && /^[0-9]{1,19}$/.test(found.right.position)
      ? { position: BigInt(found.right.position), id: found.right.id }
      : undefined
  },
  move: async ({ position, id }) => {
    const from = await value(readModels.checkpoint(LINKS))
    const row = { organization: STATE, key: 'mark', order: 0n, facets: {}, value: { position: String(position), id } }
    const moved = await readModels.move(LINKS, from, from + 1n, [{ _tag: 'put', ...row }])()
    if (E.isLeft(moved) && moved.left.code !== 'CONFLICT') throw new Refusal(moved.left)
  },
  drop: () => value(readModels.drop(LINKS)),
})
