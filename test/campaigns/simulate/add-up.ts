import { E } from '../../../core/prelude.ts'
import { checkAudit } from './audit.ts'
import { checkBelow } from './children.ts'
import { checkRows, checkTold } from './promises.ts'
import { root } from './people.ts'
import type { Process } from './processes.ts'
import type { Reachable } from './clients.ts'
import type { World } from './simulation.ts'
import type { Truth } from './truth.ts'

/**
 * The end of a history. Everything heals; either all start anew, or some go on as they are and the others never come back. What got no
 * answer is sent again, and then the whole has to add up, in each process that is left.
 */
export const addUp = async (world: World): Promise<void> => {
  const { random, clients, processes, violate, violations } = world
  world.heal()
  const isLeft = (): boolean => processes.all.every(({ life }) => life === undefined || life.engine !== undefined)
  await leaveSome(world)
  await drain(world, isLeft)
  const left = processes.running()
  if (!isLeft() || left.length === 0) return violate({ promise: 'a process starts on a healthy store', detail: 'none' })
  for (const one of left) clients.ask(one, 'list_user_tags', root) // so that it finds out if the store went back
  await drain(world, clients.isQuiet)
  for (const letter of clients.letters) if (letter.answers.length === 0) clients.send(random.pick(left), letter)
  await drain(world, clients.isQuiet)
  if (!clients.isQuiet()) return violate({ promise: 'every request is answered', detail: 'one was not' })
  if (!(await isEventually(world, async () => !(await allOf(world)).some(isPending))))
    violate({ promise: 'nothing stays PENDING for ever', detail: 'an activity does' })
  if (world.disk.era() > 0) await noticeLostRows(world)
  if (violations.length === 0) for (const one of left) await catchUp(world, one)
  if (violations.length > 0) return
  for (const one of left) for (const path of ['list_user_tags', 'list_steps'] as const) clients.ask(one, path, root)
  await drain(world, clients.isQuiet)
  if (!clients.isQuiet()) violate({ promise: 'every request is answered', detail: 'a query was not' })
  await checkAll(world)
  // What a beginning rests on may be lost after it was read, and the beginning before its activity ends: the store has two logs for them.
  const [, ...below] = await allOf(world)
  const lost = new Set(world.disk.era() === 0 ? [] : below.map(({ organization }) => organization))
  await checkAudit(world.disk.storage().store, (left[0] as Reachable).engine.catalogue, violate, lost) // one is left
}

const leaveSome = async (world: World): Promise<void> => {
  const { random, processes, plan } = world
  const restart = async (process: Process): Promise<void> => {
    await world.end(process)
    processes.start(process)
  }
  if (!plan.endsWithSurvivors) {
    for (const process of processes.all) await restart(process)
    return
  }
  const survivor = random.pick(processes.all)
  for (const process of processes.all) {
    if (process === survivor && process.life === undefined) processes.start(process)
    if (process !== survivor && random.chance(0.7)) await world.end(process)
  }
}

/** Rows that were lost, and no event with them, are missed within so long. */
const NOTICED_MS = 20_000

const noticeLostRows = async (world: World): Promise<void> => {
  const { scheduler } = world
  const fromMs = scheduler.elapsedMs()
  await isEventually(world, async () => scheduler.elapsedMs() > fromMs + NOTICED_MS)
}

/** Lets what is parked be taken, and waits for the rows of everything. */
const catchUp = async (world: World, { engine }: Reachable): Promise<void> => {
  const { violate } = world
  const hasReleased = await isEventually(world, () => ended(world, engine.retryParked('steps')))
  if (!hasReleased) return violate({ promise: 'what was parked is taken in the end', detail: 'it is not' })
  const positions = (await allOf(world)).flatMap((one) => one.positions).toSorted((a, b) => (a < b ? -1 : 1))
  for (const name of ['steps', 'activity-rows']) {
    if (!(await ended(world, engine.whenProcessed(positions.at(-1) ?? 0n, name))))
      violate({ promise: 'every process sees the rows in the end', detail: `${name} are behind` })
  }
}

/** Whether a task ends well. */
const ended = async (world: World, task: () => Promise<E.Either<unknown, unknown>>): Promise<boolean> => {
  let answer: E.Either<unknown, unknown> | undefined
  void task().then((given) => (answer = given))
  await drain(world, () => answer !== undefined)
  return answer !== undefined && E.isRight(answer)
}

const STEPS_MAX = 4_000
const ROUNDS_MAX = 1_000
const ROUND = 50

const drain = async ({ scheduler }: World, until: () => boolean): Promise<void> => {
  for (let step = 0; step < STEPS_MAX && !until(); step += 1) if (!(await scheduler.step())) break
}

const isEventually = async ({ scheduler }: World, holds: () => Promise<boolean>): Promise<boolean> => {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    if (await holds()) return true
    for (let step = 0; step < ROUND; step += 1) if (!(await scheduler.step())) return holds()
  }
  return false
}

const allOf = async ({ truth }: World): Promise<readonly Truth[]> => {
  const own = await truth()
  return [own, ...own.others()]
}

const isPending = ({ activities }: Truth): boolean =>
  [...activities.values()].some(({ status }) => status === 'ACTIVITY_STATUS_PENDING')

const checkAll = async (world: World): Promise<void> => {
  const { clients, disk, effects, violate } = world
  const all = await allOf(world)
  for (const { organizationId, answers } of clients.letters) {
    const now = all.find(({ organization }) => organization === organizationId) ?? (await world.truth())
    const told = answers.flatMap(({ answer, era }) => (era === disk.era() && E.isRight(answer) ? [answer.right] : []))
    for (const view of told) checkTold(now, view, violate)
    const ids = new Set(told.map(({ id }) => id))
    if (ids.size > 1) violate({ promise: 'one body, one activity', detail: [...ids].join(' ') })
  }
  for (const { activityId, type, status } of all.flatMap(({ activities }) => [...activities.values()])) {
    const isDone = ['ACTIVITY_TYPE_PAY', 'ACTIVITY_TYPE_WIRE'].includes(type) && status === 'ACTIVITY_STATUS_COMPLETED'
    if (isDone && effects.timesDone(activityId) === 0)
      violate({ promise: 'what completed was performed', detail: activityId })
  }
  for (const { organization } of all) await checkRows(disk, organization, violate)
  if (disk.era() === 0) checkBelow(all, violate)
}
