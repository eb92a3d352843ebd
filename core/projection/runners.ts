import { failure, type Failure } from '../failure.ts'
import type { Event } from '../log/event.ts'
import type { Clock } from '../ports/clock.ts'
import type { TellNotice } from '../ports/notice.ts'
import type { Storage } from '../ports/storage.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import { E } from '../prelude.ts'
import type { Parked } from './parking.ts'
import type { Projection } from './projection.ts'
import { runner, type Positioned, type Runner } from './runner.ts'

/** The projections of an engine, by name: those that it was made with, and those that were added. */
export type Runners = {
  readonly find: (name: string) => Runner | undefined
  /** As `find`; a failure where no projection has the name. */
  readonly named: (name: string) => E.Either<Failure, Runner>
  /** Begins to run one more, until it is closed or all of them are. */
  readonly add: (projection: Projection) => Promise<E.Either<Failure, Runner>>
  /** Hands over events that just became durable; `last` is the position of the last one. */
  readonly offer: (events: readonly Event[], last: bigint) => void
  /** Why one of them does not get on, if one does not. */
  readonly stuck: () => Failure | undefined
  readonly close: () => Promise<void>
}

type Ports = {
  readonly storage: Storage
  readonly clock: Clock
  readonly telemetry: Telemetry | undefined
  readonly notice: TellNotice
}

export const runners = async (
  { notice, ...ports }: Ports,
  projections: readonly Projection[],
): Promise<E.Either<Failure, Runners>> => {
  const running = new Map<string, Runner>()
  const names = new Set<string>()

  const add = async (projection: Projection): Promise<E.Either<Failure, Runner>> => {
    const { name } = projection
    if (names.has(name)) return E.left(calledTwice(name))
    names.add(name)
    const begun = await runner({ ...ports, onParked: noticeParked(notice, projection) }, projection)
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
    offer: (events, last) => {
      const first = last - BigInt(events.length) + 1n
      const positioned = events.map((event, index): Positioned => ({ event, position: first + BigInt(index) }))
      for (const each of running.values()) each.offer(positioned)
    },
    stuck: () => [...running.values()].map((each) => each.stuck()).find((cause) => cause !== undefined),
    close,
  })
}

const noticeParked =
  (notice: TellNotice, { name }: Projection) =>
  ({ organization, sequence }: Parked): void =>
    notice({
      level: 'error',
      message: `the projection ${name} threw; the organization is parked`,
      context: { projection: name, organization, sequence: String(sequence) },
    })

const calledTwice = (name: string): Failure => failure('CONFIGURATION_INVALID', `two projections are called ${name}`)
