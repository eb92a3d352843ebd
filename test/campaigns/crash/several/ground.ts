import type { Storage } from '../../../../core/ports/storage.ts'
import type { BugName } from '../bugs/bug.ts'
import type { StoreAddress } from '../host-process.ts'
import type { Point } from '../plan.ts'
import type { Random } from '../random.ts'
import type { StorePlace } from '../store-place.ts'
import type { Town } from '../town.ts'

/** What the stores of several servers stand on. */
export type Ground = {
  /** A new and empty store, for several servers. */
  readonly place: (towns: readonly Town[], random: Random) => Promise<SeveralPlace>
  /** What can be killed under the stores. */
  readonly databases: readonly Database[]
  /** Where a server can be made to die. */
  readonly points: readonly Point[]
  /** Where a server stands still, to see that it holds up nobody, and when it comes there for which time: not while it starts. */
  readonly freezes: ReadonlyMap<Point, number>
  /** Mistakes that show on it. */
  readonly bugs: readonly BugName[]
}

export type Database = {
  readonly name: string
  /** Ends it as a crash would, and starts it again. */
  readonly crash: () => Promise<void>
}

export type SeveralPlace = StorePlace & {
  readonly address: StoreAddress
  /** What is kept of it for a closer look. */
  readonly name: string
  /** What this kind of store has promised besides, and not kept. */
  readonly check: (storage: Storage) => Promise<readonly string[]>
}
