import { failure, type Failure } from '../../core/failure.ts'
import type { ReadModels } from '../../core/ports/read-models.ts'
import { TE } from '../../core/prelude.ts'
import { isHidden } from './index-rows.ts'

/**
 * The borrowed read models as the store hands them out: without its own projections. Closing them closes this view; the store needs them
 * until it is closed itself.
 */
export const withoutOwn = (readModels: ReadModels): ReadModels => {
  let isClosed = false

  const open =
    <A>(task: TE.TaskEither<Failure, A>): TE.TaskEither<Failure, A> =>
    () =>
      (isClosed ? TE.left(CLOSED) : task)()
  const named = <A>(projection: string, task: TE.TaskEither<Failure, A>): TE.TaskEither<Failure, A> =>
    open(isHidden(projection) ? TE.left(OWN) : task)
  const { watch } = readModels

  return {
    checkpoint: (projection) => named(projection, readModels.checkpoint(projection)),
    move: (projection, ...rest) => named(projection, readModels.move(projection, ...rest)),
    row: (projection, ...rest) => named(projection, readModels.row(projection, ...rest)),
    rows: (projection, ...rest) => named(projection, readModels.rows(projection, ...rest)),
    drop: (projection) => named(projection, readModels.drop(projection)),
    ...(watch === undefined ? {} : { watch: (onMoved: () => void) => watch(onMoved) }),
    projections: () => open(TE.map(withoutHidden)(readModels.projections())),
    saveSnapshot: (...given) => open(readModels.saveSnapshot(...given)),
    snapshot: (...given) => open(readModels.snapshot(...given)),
    dropSnapshot: (organization) => open(readModels.dropSnapshot(organization)),
    snapshotDrops: (organization) => open(readModels.snapshotDrops(organization)),
    dropSnapshots: () => open(readModels.dropSnapshots()),
    close: async () => {
      isClosed = true
    },
  }
}

const withoutHidden = (names: readonly string[]): readonly string[] => names.filter((name) => !isHidden(name))

const CLOSED = failure('UNAVAILABLE', 'the store is closed')
const OWN = failure('CONFIGURATION_INVALID', 'this projection belongs to the store: choose another name')
