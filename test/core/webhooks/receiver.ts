import { keptAlive } from '../../../adapters/clock/kept-alive.ts'
import { decodeUtf8 } from '../../../core/bytes.ts'
import type { Outcome, Outgoing, OutgoingRequest } from '../../../core/ports/outgoing.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import { webhookOperations } from '../../../core/resources/webhook-endpoint/webhook-operations.ts'
import { world, type Place, type World, type WorldOptions } from '../world/world.ts'

/** A request that a receiver has got. */
export type Heard = Pick<OutgoingRequest, 'url' | 'headers' | 'body'> & { readonly told: Told }

/** What the body of a delivery says. */
export type Told = {
  readonly id: string
  readonly organizationId: string
  readonly type: string
  readonly status: string
  readonly votes: readonly unknown[]
  readonly result: { readonly [name: string]: unknown }
}

type Answer = (heard: Heard, request: OutgoingRequest) => Outcome | Promise<Outcome>

export const answered = (status: number, retryAfter?: string): Outcome => ({ _tag: 'answered', status, retryAfter })

/** What signs does not keep the process alive. */
const attend = keptAlive()

/** What stands behind all URLs, in place of a network. */
export const receiver = (answer: Answer = () => answered(200)) => {
  const heard: Heard[] = []
  const waiting = new Set<{ readonly isThere: () => boolean; readonly resolve: () => void }>()
  const outgoing: Pick<Outgoing, 'post' | 'close'> = {
    post: async (request) => {
      if (request.mayStill?.() === false || request.signal?.aborted === true)
        return { _tag: 'unanswered', why: 'aborted' }
      const { url, headers, body } = request
      const one = { url, headers, body, told: JSON.parse(decodeUtf8(body) ?? '') as Told } // a delivery has such a body
      heard.push(one)
      for (const each of waiting) if (each.isThere()) each.resolve()
      return answer(one, request)
    },
    close: async () => undefined,
  }
  return {
    outgoing,
    heard,
    /** Resolves when something was heard of which the condition holds. */
    until: (isThere: (heard: readonly Heard[]) => boolean): Promise<void> =>
      attend(
        new Promise((resolve) => {
          if (isThere(heard)) resolve()
          else waiting.add({ isThere: () => isThere(heard), resolve })
        }),
      ),
  }
}

export type Receiver = ReturnType<typeof receiver>

/** A world whose engine tells a receiver. */
export const tellingWorld = (to: Receiver, options: WorldOptions = {}): Promise<World> =>
  world({
    resources: [...publicApi, ...webhookOperations],
    webhooks: { outgoing: to.outgoing },
    leaseMs: LEASE_MS,
    ...options,
  })

/** Longer than any jump of a test's clock: a lease that the clock has passed sends nothing. */
export const LEASE_MS = 30 * 24 * 60 * 60 * 1000

export const HOOK = 'https://hooks.example.com/one'

/** Makes an endpoint. Gives its id. */
export const hookIn = async (
  { done, root }: Place,
  more: { readonly url?: string; readonly filtersJson?: string; readonly isActive?: boolean } = {},
): Promise<string> => {
  const { url = HOOK, ...subscription } = more
  const subscriptions = [{ eventType: 'ACTIVITY_UPDATES', ...subscription }]
  const { result } = await done(root, 'create_webhook_endpoint', { url, name: 'hook', subscriptions })
  return (result['createWebhookEndpointResult'] as { readonly endpointId: string }).endpointId
}

/** A tag, as something that happens. */
export const happens = ({ done, root }: Place, userTagName: string) =>
  done(root, 'create_user_tag', { userTagName, userIds: [] })
