import type { PortsFor, Resource } from '../definition/resource.ts'
import { createEngine as createEngineOfTasks } from '../create-engine.ts'
import type { EngineOptions } from '../engine.ts'
import type { Clock } from '../ports/clock.ts'
import { client, type Client, type ClientOptions } from './client.ts'
import { promisedEngine, type Attend, type PromisedEngine } from './promised-engine.ts'
import { increasing, toEngine, type Transport } from './transport.ts'

/** An engine as a host uses it. */
export type HostEngine = PromisedEngine & {
  /** The client of one user of an organization. Its requests go through the same steps as those that come over HTTP. */
  readonly as: (caller: ClientOptions) => Client
}

/**
 * Makes an engine whose methods give promises. It starts without reading history: an organization is folded when a request first needs
 * it, and projections go on from their checkpoints.
 *
 * @throws CountersignError (the promise rejects with it) if the options are wrong or the store cannot be read
 */
export const createEngine = async <const R extends readonly Resource[]>(
  options: Omit<EngineOptions, 'resources' | 'ports'> & { readonly resources: R } & PortsFor<R>,
): Promise<HostEngine> =>
  hostEngine(await createEngineOfTasks(options), options.clock, {
    pause: pauseBy(options.clock),
    attend: (work) => work,
  })

/** What a platform does for those who wait. */
export type Waiting = { readonly pause: Transport['pause']; readonly attend: Attend }

/** @param clock  gives clients the time of their requests */
export const hostEngine = (
  tasks: PromisedEngine['tasks'],
  clock: Pick<Clock, 'now'>,
  { pause, attend }: Waiting,
): HostEngine => {
  const way = toEngine(tasks, { nextMs: increasing(clock.now), pause }, attend)
  return { ...promisedEngine(tasks, attend), as: (caller) => client(way, caller) }
}

const pauseBy =
  (clock: Clock): Transport['pause'] =>
  (ms, signal) =>
    new Promise((resolve) => {
      const cancel = clock.after(ms, resolve)
      const end = (): void => {
        cancel()
        resolve()
      }
      signal?.addEventListener('abort', end, { once: true })
    })
