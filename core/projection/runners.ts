import { failure, type Failure } from '../failure.ts'
import { E } from '../prelude.ts'
import type { Projection } from '../definition/projection.ts'
import type { Parked } from '../following/parked-organizations.ts'
import { describeThrown } from '../telemetry/tell-thrown.ts'
import type { Troubles } from '../telemetry/troubles.ts'
import { runner, type Runner, type RunnerPorts } from './runner.ts'

/** The running projections of an engine, by name: those of its resources, and those that were added. */
export type Runners = {
  readonly find: (name: string) => Runner | undefined
  /** Like `find`; a failure if no projection has the name. */
  readonly named: (name: string) => E.Either<Failure, Runner>
  /** Runs one more projection, until it is closed or all of them are. */
  readonly add: (projection: Projection) => Promise<E.Either<Failure, Runner>>
  /** The failure of one that is stuck, if any is. */
  readonly stuck: () => Failure | undefined
  /** Each goes on from where its rows are right, or builds them again, because the store has lost events. */
  readonly startOver: () => Promise<void>
  readonly close: () => Promise<void>
}

type Ports = Omit<RunnerPorts, 'onParked'> & {
  /** Parked organizations, for the operator. */
  readonly parkings: Pick<Troubles, 'note'>
}

export const runners = async (
  { parkings, ...ports }: Ports,
  projections: readonly Projection[],
): Promise<E.Either<Failure, Runners>> => {
  const running = new Map<string, Runner>()
  const names = new Set<string>()

  const add = async (projection: Projection): Promise<E.Either<Failure, Runner>> => {
    const { name } = projection
    if (names.has(name)) return E.left(calledTwice(name))
    names.add(name)
    const begun = await runner({ ...ports, onParked: noteParked(parkings, projection) }, projection)
    if (E.isLeft(begun)) {
      names.delete(name)
      return begun
    }
    running.set(name, begun.right)
    const close = async (): Promise<void> => {
      running.delete(name)
      names.delete(name)
      await begun.right.close()
    }
    return E.right({ ...begun.right, close })
  }

  const close = async (): Promise<void> => {
    for (const each of running.values()) await each.close()
  }

  for (const projection of projections) {
    const begun = await add(projection)
    if (E.isRight(begun)) continue
    await close()
    return begun
  }

  return E.right({
    find: (name) => running.get(name),
    named: (name) =>
      E.fromNullable(failure('CONFIGURATION_INVALID', `no projection is called ${name}`))(running.get(name)),
    add,
    stuck: () => [...running.values()].map((each) => each.stuck()).find((cause) => cause !== undefined),
    startOver: async () => {
      await Promise.all([...running.values()].map((each) => each.startOver()))
    },
    close,
  })
}

/** A release with a bug may park thousands of organizations: each cause is told once, and then counted. */
const noteParked =
  (parkings: Pick<Troubles, 'note'>, { name }: Projection) =>
  ({ organization, sequence }: Parked, thrown: unknown): void => {
    const described = describeThrown(thrown)
    parkings.note(`${name} ${described.thrown} ${described.at[0]}`, () => ({
      level: 'error',
      message: `the projection ${name} threw; the organization is parked`,
      context: { projection: name, organization, sequence: String(sequence), ...described },
    }))
  }

const calledTwice = (name: string): Failure => failure('CONFIGURATION_INVALID', `two projections are called ${name}`)
