import { run } from '../countersign-error.ts'
import type { Engine as EngineOfTasks } from '../engine.ts'
import type { Failure } from '../failure.ts'
import type { TE } from '../prelude.ts'

type Promised<Member> = Member extends (...args: infer A) => TE.TaskEither<Failure, infer R>
  ? (...args: A) => Promise<R>
  : Member

/**
 * An engine as a host uses it: each method that would return a task returns a promise, which rejects with a `CountersignError`. The work
 * begins with the call.
 */
export type PromisedEngine = { readonly [Name in keyof EngineOfTasks]: Promised<EngineOfTasks[Name]> } & {
  /** The same engine with tasks of fp-ts, whose failures are values. */
  readonly tasks: EngineOfTasks
}

/** Is given each promise of an engine, and returns it: on Node it keeps the process alive while the promise is pending. */
export type Attend = <A>(work: Promise<A>) => Promise<A>

export const promisedEngine = (tasks: EngineOfTasks, attend: Attend): PromisedEngine => {
  const promised =
    <A extends readonly unknown[], R>(method: (...args: A) => TE.TaskEither<Failure, R>) =>
    (...args: A): Promise<R> =>
      attend(run(method(...args)))
  return {
    ...tasks,
    tasks,
    submit: promised(tasks.submit),
    query: promised(tasks.query),
    createOrganization: promised(tasks.createOrganization),
    firstOrganization: promised(tasks.firstOrganization),
    deploymentKeys: promised(tasks.deploymentKeys),
    webhookKeys: promised(tasks.webhookKeys),
    replay: promised(tasks.replay),
    replayOrganization: promised(tasks.replayOrganization),
    replayActivity: promised(tasks.replayActivity),
    subscribe: promised(tasks.subscribe),
    parked: promised(tasks.parked),
    retryParked: promised(tasks.retryParked),
    whenProcessed: promised(tasks.whenProcessed),
    lastPosition: promised(tasks.lastPosition),
    importedEffects: promised(tasks.importedEffects),
    resumeImported: promised(tasks.resumeImported),
    failImported: promised(tasks.failImported),
    isReady: promised(tasks.isReady),
    close: () => attend(tasks.close()),
  }
}

/** The engine with tasks, for adapters, which take both. */
export const tasksOf = (engine: EngineOfTasks | Pick<PromisedEngine, 'tasks'>): EngineOfTasks =>
  'tasks' in engine ? engine.tasks : engine
