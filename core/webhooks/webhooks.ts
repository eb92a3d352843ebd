import { activityAt, type ActivityAtPorts } from '../command/activity-at.ts'
import type { Failure } from '../failure.ts'
import { follow } from '../following/follow.ts'
import type { Follower, FollowPorts, FollowsLog } from '../following/follower.ts'
import type { Outgoing } from '../ports/outgoing.ts'
import type { Storage } from '../ports/storage.ts'
import type { TellNotice } from '../ports/notice.ts'
import { E } from '../prelude.ts'
import { parentsIn } from '../projection/parents.ts'
import type { Runner } from '../projection/runner.ts'
import type { WebhookKeys } from '../resources/deployment-key/webhook-keys.ts'
import { describeThrown, type TellThrown } from '../telemetry/tell-thrown.ts'
import type { Troubles } from '../telemetry/troubles.ts'
import { beginning } from './beginning.ts'
import { bodyOf } from './body.ts'
import { endpointMemory } from './endpoints.ts'
import { handling } from './handling.ts'
import { headersOf } from './request.ts'
import { ROWS, webhookRows, type EndpointRow, type QueuedAt, type WebhookRows } from './rows.ts'
import { sender, type Made } from './sender.ts'
import { writer } from './writer.ts'

/** Tells endpoints what happens. `runner` has the rows of deliveries, which a query reads. */
export type Webhooks = FollowsLog & { readonly runner: Runner }

export type WebhookPorts = Omit<FollowPorts, 'onParked' | 'tell'> &
  ActivityAtPorts & {
    readonly storage: Storage
    readonly outgoing: Pick<Outgoing, 'post' | 'close'>
    /** What signs; without it, only the URLs of features are told. */
    readonly keys: WebhookKeys | undefined
    /** The position up to which events came from another installation. */
    readonly importedTo: bigint
    readonly notice: TellNotice
    readonly tell: TellThrown
    readonly parkings: Pick<Troubles, 'note'>
  }

/**
 * Follows the log and puts what is to be told into queues, in the transaction of its checkpoint; and sends what is in the queues, under the lease
 * of the follower. A body is made of the log at each attempt, so that nothing of it stands beside the log.
 */
export const webhooks = async (ports: WebhookPorts): Promise<E.Either<Failure, Webhooks>> => {
  const { storage, clock, outgoing, parkings } = ports
  const { store } = storage
  const rows = webhookRows(storage.readModels)
  const memory = endpointMemory(rows)
  const parents = parentsIn(store)
  const on: { follower?: Follower } = {} // it is made later
  const write = writer(async (changes) => on.follower?.write(changes) ?? E.right(undefined))
  const sending = sender({
    ...ports,
    rows,
    held: () => on.follower?.held(),
    write,
    endpointOf: async ({ organizationId, endpointId }) =>
      E.map((found: ReadonlyMap<string, EndpointRow>) => found.get(endpointId))(await memory.of(organizationId)),
    make: making(ports),
    onEnded: (endpointId) => memory.counted(endpointId, -1),
  })
  const begun = await follow(
    {
      ...ports,
      leasing: ports.leasing && { ...ports.leasing, askAgainMs: ports.leasing.askAgainMs / 2 }, // a lease that ended is taken within 20 s
      onParked: ({ organization, sequence }, thrown) =>
        parkings.note('webhooks', () => ({
          level: 'error',
          message: 'events of an organization are not told to its endpoints, because this version cannot read them',
          context: { organization, sequence: String(sequence), ...describeThrown(thrown) },
        })),
    },
    ROWS,
    {
      parts: false,
      handle: handling({ ...ports, store, parents, memory, rows }),
      kept: beginning({ store, rows, clock }),
      onStored: () => sending.queued(memory.stored()),
      onStale: () => {
        memory.clear()
        sending.startOver()
      },
      onRewound: parents.forget,
    },
  )
  if (E.isLeft(begun)) return begun
  on.follower = begun.right
  sending.queued([]) // where no lease has to be waited for
  const forgetting = forgetsExpired(ports, rows, begun.right)
  return E.right({
    runner: { ...begun.right, holdsBelow: async () => E.right(false) },
    startOver: begun.right.startOver,
    close: async () => {
      forgetting.stop()
      await sending.close()
      await outgoing.close()
      await begun.right.close()
    },
  })
}

const making = (ports: Pick<WebhookPorts, 'keys' | 'clock'> & ActivityAtPorts) => {
  const viewAt = activityAt(ports)
  return async (endpoint: EndpointRow, queued: QueuedAt): Promise<E.Either<Failure, Made | undefined>> => {
    const { organizationId, activityId, revision } = queued
    const view = await viewAt({
      organizationId,
      activityId,
      revision: BigInt(revision),
      seenFrom: endpoint.organizationId,
    })
    if (E.isLeft(view) || view.right === undefined) return E.map(() => undefined)(view)
    const body = bodyOf(view.right)
    const headers = await headersOf(ports.keys, endpoint, queued, body, ports.clock.now())
    return E.map((made: Made['headers']) => ({ headers: made, body }))(headers)
  }
}

const HOUR_MS = 60 * 60 * 1000
const AT_ONCE = 500

/** Forgets deliveries whose time is over, every hour, where the follower runs. */
const forgetsExpired = (
  { clock, tell }: Pick<WebhookPorts, 'clock' | 'tell'>,
  rows: WebhookRows,
  { held, write }: Pick<Follower, 'held' | 'write'>,
): { readonly stop: () => void } => {
  let stop = (): void => undefined
  let isStopped = false
  const forget = async (): Promise<void> => {
    for (;;) {
      if (isStopped || held()?.isCertain() !== true) return
      const expired = await rows.expired(clock.now(), AT_ONCE)
      if (E.isLeft(expired) || expired.right.length === 0) return
      if (E.isLeft(await write(expired.right))) return
    }
  }
  const later = (): void => {
    if (isStopped) return
    stop = clock.after(
      HOUR_MS,
      () =>
        void forget()
          .catch((thrown: unknown) => tell('old deliveries', thrown))
          .finally(later),
    )
  }
  later()
  return {
    stop: () => {
      isStopped = true
      stop()
    },
  }
}
