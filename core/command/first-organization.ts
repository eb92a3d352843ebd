import type { Failure } from '../failure.ts'
import { eachOrganization } from '../log/each-organization.ts'
import { hasEnded } from '../organization/ended.ts'
import { parentOf } from '../organization/profile.ts'
import type { Storage } from '../ports/storage.ts'
import { E } from '../prelude.ts'
import type { Organizations } from '../writing/organizations.ts'

/** The organization that was begun first; if it has ended, or is below another one, the first by id that has not and is not. */
export const firstOrganization = async (
  { store }: Storage,
  { load }: Pick<Organizations, 'load'>,
): Promise<E.Either<Failure, string | undefined>> => {
  const isIt = async (id: string): Promise<boolean> => {
    const cell = await load(id)
    return E.isLeft(cell) || !(hasEnded(cell.right.state) || parentOf(cell.right.state) !== undefined) // one that is closed is there
  }
  const read = await store.readAll(0n, 1)()
  if (E.isLeft(read)) return read
  const [first] = read.right
  if (first !== undefined && (await isIt(first.organization))) return E.right(first.organization)
  for await (const id of eachOrganization(store)) if (E.isLeft(id) || (await isIt(id.right))) return id
  return E.right(undefined)
}
