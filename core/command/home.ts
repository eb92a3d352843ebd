import type { Failure } from '../failure.ts'
import type { Organization } from '../organization/state.ts'
import { E } from '../prelude.ts'
import type { Cell } from '../writing/cell.ts'
import type { Authenticated } from './authenticate.ts'

/** The states on which an answer rests: of the organization that is asked, and of the one that has the caller as a user. */
export type Sight = { readonly organization: Organization; readonly home: Organization }

/** The cell of the organization that has the caller as a user: the one that is asked, or its parent. */
export const homeOf = async (
  { home }: Pick<Authenticated, 'home'>,
  cell: Cell,
  load: (organizationId: string) => Promise<E.Either<Failure, Cell>>,
): Promise<E.Either<Failure, Cell>> => (home === cell.organizationId ? E.right(cell) : load(home))
