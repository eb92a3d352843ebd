import type { Random } from './random.ts'

/** Where the server can be made to die, by name. */
export const POINTS = [
  // In the store (COUNTERSIGN_CRASH_AT)
  'before-append',
  'within-group',
  'after-append', // committed, and not answered yet
  'within-move', // the rows of a projection are written, and not committed
  'within-snapshot',
  'child-begun', // an organization below is there, and the log of its parent has only the start
  'key-sealed', // a key is there, and no event names it
  'key-deleting', // a deletion is started, and the key is there
  'key-deleted', // the key is gone, and the log has only the start
  // In an effect, between its durable start and its conclusion; the payment service pulls the trigger
  'effect-begun', // asked, and not done
  'effect-done', // done, and the answer is lost
] as const

/** Where one of several servers on PostgreSQL can be made to die. */
export const POINTS_OF_SEVERAL = [
  'before-append',
  'after-lock', // it has the lock of the store, and has written nothing
  'within-group',
  'after-append',
  'before-notify', // nobody is told of the group
  'after-notify',
  'within-checkpoint', // the checkpoint is moved and the rows are not, and nothing is committed
  'within-move',
  'within-snapshot',
  'lease-taken', // and nothing done under it
  'before-renewal',
  'before-giving-up', // the work is done, and the lease still there
  'child-begun',
  'key-sealed',
  'key-deleting',
  'key-deleted',
  'effect-begun',
  'effect-done',
] as const
/** Where one of several servers can be made to die whose log is on EventStoreDB, with read models on PostgreSQL. */
export const POINTS_ON_EVENTSTOREDB = [
  'before-append',
  'within-parts', // a part is written; others and the events are not
  'after-parts', // no event names the parts yet
  'after-append', // some of the organizations' runs are written, and nobody knows
  'within-checkpoint',
  'within-move',
  'within-snapshot',
  'lease-taken',
  'before-renewal',
  'before-giving-up',
  'child-begun',
  'key-sealed',
  'key-deleting',
  'key-deleted',
  'effect-begun',
  'effect-done',
] as const
export type Point =
  (typeof POINTS)[number] | (typeof POINTS_OF_SEVERAL)[number] | (typeof POINTS_ON_EVENTSTOREDB)[number]

export const isEffectPoint = (point: Point): boolean => point === 'effect-begun' || point === 'effect-done'

/** How a round ends for the server. */
export type Kill =
  /** SIGKILL when the clients have heard so many answers, or as soon as it accepts connections. */
  | { readonly _tag: 'after-answers'; readonly answers: number }
  /** SIGKILL when it comes to the point for the `pass`th time. */
  | { readonly _tag: 'at-point'; readonly point: Point; readonly pass: number }

export type Round = {
  readonly number: number
  readonly kill: Kill
  readonly clients: number
  /** Two engines on one store meet as two processes do: they overtake each other, and have to decide anew. */
  readonly engines: 1 | 2
  readonly whenInterrupted: 'retry' | 'fail'
  /** Whether the round begins on an empty store. */
  readonly isFresh: boolean
}

export type Campaign = {
  readonly seed: string
  /** Rounds with a kill at random. */
  readonly rounds: number
  readonly perPoint: number
  readonly points: readonly Point[]
}

/** How often a server that makes a mistake is asked: it may have lost what it waits for, and never say what became of a request. */
export const TRIES_WITH_MISTAKE = 500

const ROUNDS_PER_STORE = 8
const CLIENTS = 8

/** All rounds, the same for the same campaign. Kills at random and at points take turns. */
export const roundsOf = ({ rounds, perPoint, points }: Campaign, random: Random): readonly Round[] => {
  const kills: Kill[] = []
  const atPoints = Array.from({ length: perPoint }, () => points).flat()
  for (let i = 0; i < Math.max(rounds, atPoints.length); i += 1) {
    const point = atPoints[i]
    if (i < rounds) kills.push({ _tag: 'after-answers', answers: answersBefore(random) })
    if (point !== undefined) kills.push({ _tag: 'at-point', point, pass: passOf(point, random) })
  }
  return kills.map((kill, index) => ({
    number: index + 1,
    kill,
    clients: CLIENTS,
    engines: random.below(3) === 0 ? 2 : 1,
    whenInterrupted: random.below(4) === 0 ? 'fail' : 'retry',
    isFresh: index % ROUNDS_PER_STORE === 0,
  }))
}

/** Most deaths are in the midst of the work, some while the first requests come in, some before them. */
const answersBefore = (random: Random): number =>
  random.weighted([
    [3, random.below(40)],
    [6, 40 + random.below(400)],
    [1, 0],
  ]) ?? 0

/** At which pass of a point the server is to die. */
export const passOf = (point: Point, random: Random): number => {
  if (isEffectPoint(point)) return 1 + random.below(6)
  if (point === 'within-snapshot' || point === 'child-begun' || point.startsWith('key-')) return 1 + random.below(3)
  return 1 + random.below(point === 'within-move' ? 15 : 60)
}

export const nameOf = ({ kill, engines, whenInterrupted }: Round): string => {
  const end = kill._tag === 'at-point' ? `${kill.point}:${kill.pass}` : `SIGKILL after ${kill.answers} answers`
  return `${end}${engines === 2 ? ', two engines' : ''}${whenInterrupted === 'fail' ? ', fail when interrupted' : ''}`
}
