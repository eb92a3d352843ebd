import * as t from 'io-ts'
import { useState } from 'preact/hooks'
import { DateTime, Timestamp } from '../../../../core/codec/timestamp.ts'
import { escapedLine } from '../../../inbox/escape.ts'
import { millisOfTime } from '../../../inbox/words.ts'
import { addressOf } from '../address.ts'
import { html, type Shown } from '../html.ts'
import { RESEND_WEBHOOK_DELIVERIES, TEST_WEBHOOK_ENDPOINT } from '../operations.ts'
import { At, Doing, Read, Theirs } from '../parts.ts'
import { usePolled } from '../polled.ts'
import { answerOf } from '../server/answer-of.ts'
import { texts } from '../texts.ts'
import { shortLine } from '../words.ts'
import { requestText, type Session } from '../who/session.ts'

const Time = t.union([DateTime, Timestamp])
const Endpoint = t.type({ endpointId: t.string, url: t.string, name: t.string, isActive: t.boolean })
const Endpoints = t.type({ webhookEndpoints: t.readonlyArray(Endpoint) })
const Delivery = t.intersection([
  t.type({
    deliveryId: t.string,
    eventId: t.string,
    activityId: t.string,
    eventType: t.string,
    status: t.string,
    attempts: t.readonlyArray(t.type({ at: Time, outcome: t.string })),
  }),
  t.partial({ nextAttemptAt: Time }),
])
type Delivery = t.TypeOf<typeof Delivery>
const Deliveries = t.type({ webhookDeliveries: t.readonlyArray(Delivery) })

/** The endpoints that are told what happens; with one of them, what it was told. */
export const WebhooksView = ({
  session,
  endpoint,
}: {
  readonly session: Session
  readonly endpoint?: string
}): Shown => {
  const polled = usePolled(`endpoints ${session.organizationId}`, PACE_MS, async (signal) =>
    answerOf(Endpoints, await session.ask('query/list_webhook_endpoints', {}, signal)),
  )
  return html`<${Read} of=${polled}
    >${({ webhookEndpoints }: t.TypeOf<typeof Endpoints>) => {
      const shown = webhookEndpoints.filter(({ endpointId }) => endpoint === undefined || endpointId === endpoint)
      return html`
        ${endpoint !== undefined && html`<p><a href=${addressOf({ name: 'webhooks' })}>${texts.webhooks.all}</a></p>`}
        ${shown.length === 0 && html`<p>${texts.webhooks.none}</p>`}
        <ul class="cards">
          ${shown.map((one) => html`<li key=${one.endpointId}><${EndpointCard} session=${session} endpoint=${one} /></li>`)}
        </ul>
        ${
          endpoint !== undefined &&
          session.offers.has('list_webhook_deliveries') &&
          html`<${DeliveriesOf} session=${session} endpointId=${endpoint} />`
        }
      `
    }}<//
  >`
}

const PACE_MS = 5_000

const EndpointCard = ({
  session,
  endpoint: { endpointId, name, url, isActive },
}: {
  readonly session: Session
  readonly endpoint: t.TypeOf<typeof Endpoint>
}): Shown => html`
  <a href=${addressOf({ name: 'webhooks', endpoint: endpointId })}><${Theirs} text=${name} /></a>${' '}
  ${isActive ? texts.webhooks.active : texts.webhooks.paused}
  <p><${Theirs} text=${url} max=${500} /></p>
  ${
    session.offers.has('test_webhook_endpoint') &&
    html`<${Submitting}
      session=${session}
      path="test_webhook_endpoint"
      type=${TEST_WEBHOOK_ENDPOINT}
      parameters=${{ endpointId }}
      label=${texts.webhooks.test}
    />`
  }
`

const Submitted = t.type({ activity: t.type({ id: t.string }) })

/** A button that submits an activity, and then a link to it. */
const Submitting = ({
  session,
  path,
  type,
  parameters,
  label,
}: {
  readonly session: Session
  readonly path: string
  readonly type: string
  readonly parameters: object
  readonly label: string
}): Shown => {
  const [id, setId] = useState<string>()
  const submit = async (): Promise<void> => {
    const body = requestText({ type, organizationId: session.organizationId, parameters })
    const answer = await session.server.send(`submit/${path}`, body, session.key.stamper, { again: true })
    setId(answerOf(Submitted, answer).activity.id)
  }
  return html`<${Doing} onDo=${submit}>${label}<//> ${
      id !== undefined &&
      html`<span role="status"
        >${texts.webhooks.submitted}
        <a href=${addressOf({ name: 'activity', id })}>${escapedLine(id.slice(0, 8))}</a></span
      >`
    }`
}

const PAGE = 50

const DeliveriesOf = ({ session, endpointId }: { readonly session: Session; readonly endpointId: string }): Shown => {
  const [before, setBefore] = useState<string>()
  const polled = usePolled(`deliveries ${endpointId} ${before ?? ''}`, PACE_MS, async (signal) => {
    const paginationOptions = { limit: String(PAGE), ...(before === undefined ? {} : { before }) }
    const answer = await session.ask('query/list_webhook_deliveries', { endpointId, paginationOptions }, signal)
    return answerOf(Deliveries, answer)
  })
  return html`<section aria-labelledby="deliveries">
    <h2 id="deliveries">${texts.webhooks.deliveries}</h2>
    <${Read} of=${polled}
      >${({ webhookDeliveries }: t.TypeOf<typeof Deliveries>) => html`
        ${webhookDeliveries.length === 0 && html`<p>${texts.webhooks.noDeliveries}</p>`}
        <ul class="cards">
          ${webhookDeliveries.map(
            (one) =>
              html`<li key=${one.deliveryId}>
                <${DeliveryCard} session=${session} endpointId=${endpointId} delivery=${one} />
              </li>`,
          )}
        </ul>
        ${
          webhookDeliveries.length === PAGE &&
          html`<button type="button" onClick=${() => setBefore(webhookDeliveries.at(-1)?.deliveryId)}>
            ${texts.webhooks.older}
          </button>`
        }
      `}<//
    >
  </section>`
}

const DeliveryCard = ({
  session,
  endpointId,
  delivery: { eventId, activityId, eventType, status, attempts, nextAttemptAt },
}: {
  readonly session: Session
  readonly endpointId: string
  readonly delivery: Delivery
}): Shown => html`
  <strong>${shortLine(status.replace('WEBHOOK_DELIVERY_STATUS_', '').replaceAll('_', ' ').toLowerCase())}</strong>${' '}
  <${Theirs} text=${eventType} />${' '}
  <a href=${addressOf({ name: 'activity', id: activityId })}>${escapedLine(activityId.slice(0, 8))}</a>
  ${
    attempts.length > 0 &&
    html`<ol aria-label=${texts.webhooks.attempts}>
      ${attempts.map(({ at, outcome }) => html`<li><${At} ms=${millisOfTime(at)} /> <${Theirs} text=${outcome} /></li>`)}
    </ol>`
  }
  ${nextAttemptAt !== undefined && html`<p class="hint">${texts.webhooks.next} <${At} ms=${millisOfTime(nextAttemptAt)} /></p>`}
  ${
    session.offers.has('resend_webhook_deliveries') &&
    html`<${Submitting}
      session=${session}
      path="resend_webhook_deliveries"
      type=${RESEND_WEBHOOK_DELIVERIES}
      parameters=${{ endpointId, eventIds: [eventId] }}
      label=${texts.webhooks.again}
    />`
  }
`
