import type { Notice } from '../../core/engine.ts'
import type { Failure } from '../../core/failure.ts'
import type { E } from '../../core/prelude.ts'
import type { Storage } from '../../core/ports/storage.ts'
import type { PostgresStorage } from '../store-postgres/open.ts'
import { waitForServer, type Waiting } from './wait-for-server.ts'

type Opening<A> = Promise<E.Either<Failure, A>>

/** Opens an existing store in a database, and makes nothing in it. */
export const readPostgres = (url: string): Opening<Storage> => openPostgres(url, true)

/** Opens a store in a database, and makes its tables if there are none. */
export const writePostgres = (
  url: string,
  onNotice: (notice: Notice) => void,
  waiting: Waiting | undefined,
): Opening<PostgresStorage> => waitForServer(() => openPostgres(url, false), onNotice, waiting)

/** Whoever lists the processes of the machine would otherwise read the password, if the URL was given as a flag. */
export const hideArguments = (url: string): void => {
  const place = url.slice(url.indexOf(':'))
  if (process.argv.some((argument) => argument.includes(place))) process.title = 'countersign'
}

const openPostgres = async (url: string, readOnly: boolean): Opening<PostgresStorage> => {
  hideArguments(url)
  return (await import('../store-postgres/open.ts')).openPostgresStore({ url, readOnly })()
}
