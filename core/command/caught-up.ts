import { storedName, type Projection } from '../definition/projection.ts'
import { failure, type Failure } from '../failure.ts'
import type { Clock } from '../ports/clock.ts'
import type { Storage } from '../ports/storage.ts'
import { E } from '../prelude.ts'
import type { Runner } from '../projection/runner.ts'
import { ownError } from '../telemetry/tell-thrown.ts'

export type CaughtUpPorts = {
  readonly storage: Storage
  readonly clock: Clock
  readonly runnerOf: (projection: string) => Runner | undefined
}

/** How long a reader of rows waits for their projection. */
const WAIT_FOR_PROJECTION_MS = 5_000

/** What a projection has to have taken. */
export type Wanted = {
  /** The position up to which it has to have taken events. */
  readonly position: () => Promise<E.Either<Failure, bigint>>
  /** Whether some of these events are held back. */
  readonly isHeld: (runner: Runner) => Promise<E.Either<Failure, boolean>>
}

/** Waits until a projection has taken what is wanted, bounded; gives its stored name. */
export const caughtUp = async (
  { clock, runnerOf }: Pick<CaughtUpPorts, 'clock' | 'runnerOf'>,
  projection: Projection,
  { position, isHeld }: Wanted,
): Promise<E.Either<Failure, string>> => {
  const runner = runnerOf(projection.name)
  // Rows that no reducer makes may be written by another process alone: they are what it has written.
  if (runner === undefined && projection.types.length === 0) return E.right(storedName(projection))
  if (runner?.name !== storedName(projection)) throw ownError(`this engine has no projection ${storedName(projection)}`)
  const refuseHeld = async (): Promise<E.Either<Failure, string>> =>
    E.flatMap((held: boolean) => (held ? E.left(isParked) : E.right(runner.name)))(await isHeld(runner))
  const free = await refuseHeld()
  if (E.isLeft(free)) return free
  const wanted = await position()
  if (E.isLeft(wanted)) return wanted
  const giveUp = new AbortController()
  const callOff = clock.after(WAIT_FOR_PROJECTION_MS, () => giveUp.abort(), true)
  const passed = await runner.passed(wanted.right, giveUp.signal)
  callOff()
  return E.isLeft(passed) ? E.left(isBehind) : refuseHeld() // another process may have parked it
}

/** All that the store holds at the first wait, and whatever has an effect on the rows of one organization. */
export const wholeStore = ({ store }: Pick<Storage, 'store'>, organizationId: string): Wanted => {
  let last: Promise<E.Either<Failure, bigint>> | undefined
  return {
    position: () => (last ??= store.lastPosition()()),
    isHeld: async (runner) => (runner.holds(organizationId) ? E.right(true) : runner.holdsBelow(organizationId)),
  }
}

const isParked = failure('UNAVAILABLE', 'the list of this organization is parked: its projection threw')
const isBehind = failure('UNAVAILABLE', 'the list is behind the log; try again', [])
