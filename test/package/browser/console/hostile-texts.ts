/* What enemies write: into the log as far as the server lets them, and a server of theirs into each of its answers. */
import type { Page } from 'playwright-core'
import { activityIdOf } from '../../../../core/activity/identity.ts'
import { encodeUtf8 } from '../../../../core/bytes.ts'
import { fingerprintOfBody } from '../../../../core/view/shown-request.ts'
import { generateKey } from '../../../../adapters/signatures/index.ts'
import { nobleSignatures } from '../../../../adapters/signatures/noble-signatures.ts'
import type { Scene } from './scene.ts'

const MARKUP =
  '</pre></bdi><img src=x onerror="ran=1"><svg onload="ran=1"><script>ran=1</script><style>*{display:none}</style>' +
  '<img src="https://elsewhere.example/x"><a href="javascript:ran=1">${ran=1}'

export const HOSTILE: Readonly<Record<string, string>> = {
  markup: MARKUP,
  long: 'Approve'.repeat(1500),
  wide: '\u{fdfd}\u{12031}\u{2e3b}'.repeat(40),
  rightToLeft: `\u202e\u2067evorppA \u05e9\u05dc\u05d5\u05dd ${'\u0627\u0644\u0633\u0644\u0627\u0645 '.repeat(20)}`,
  invisible: `a${'\u200b\u2060\u00ad\ufeff'.repeat(20)}b${'\u00a0\u2003\u2800'.repeat(50)}c\n\n\n\td`,
  stacked: `Z${'\u0301\u0316\u0489\u033f'.repeat(40)}A${'\u0323\u0301'.repeat(40)}`,
  emoji: '\u{1f469}\u200d\u{1f469}\u200d\u{1f467}\u{1f3f4}\u{e0067}\u{e007f}\u26a0\ufe0f'.repeat(10),
}

/** Fills a log as far as the server lets somebody do it. Gives the id of an activity that waits. */
export const inTheLog = async ({ query, submit }: Scene): Promise<string> => {
  const all = Object.values(HOSTILE).map((text) =>
    Array.from(text.replaceAll(/[\n\t]/g, ''))
      .slice(0, 256)
      .join(''),
  )
  const users = all.map((userName) => {
    const { publicKey } = generateKey('API_KEY_CURVE_P256')
    const key = { apiKeyName: 'laptop', curveType: 'API_KEY_CURVE_P256', publicKey }
    return { userName, userTags: [], authenticators: [], oauthProviders: [], apiKeys: [key] }
  })
  await submit('create_users', { users })
  for (const text of all) {
    const consensus = `approvers.any(user, user.alias == '${text.replaceAll(/['\\]/g, '')}')`
    await submit('create_policy', {
      policyName: text,
      effect: 'EFFECT_ALLOW',
      consensus,
      condition: 'true',
      notes: text,
    })
  }
  await submit('create_user_tag', { userTagName: MARKUP, userIds: [] })
  await submit('create_webhook_endpoint', { name: MARKUP, url: 'https://example.com/#<img/src=x>', subscriptions: [] })
  await submit('update_organization_name', { organizationName: MARKUP })
  const listed = (await query('list_users')) as { readonly users: readonly { readonly userId: string }[] } // as it answers
  const userIds = listed.users.map(({ userId }) => userId)
  await submit('update_root_quorum', { threshold: 2, userIds })
  return (await submit('create_user_tag', { userTagName: `${MARKUP}!`, userIds })).id
}

/** An activity as the server answers with it, as far as it is filled. */
export type Told = {
  readonly id: string
  readonly organizationId: string
  readonly votes: readonly { readonly message: string }[]
}

/** One that waits for a request with this text: all of it fits the fingerprint, as if somebody had stamped it. */
export const fabricated = (told: Told, text: string): Told => {
  const { parameters: honest, ...request } = JSON.parse(told.votes[0]?.message ?? '') as { readonly parameters: object } // a request
  const parameters = { ...honest, userTagName: text, [text]: [text], notes: { [text]: text } }
  const message = JSON.stringify({ ...request, parameters })
  const fingerprint = fingerprintOfBody(encodeUtf8(message))
  const id = activityIdOf(nobleSignatures(), told.organizationId, fingerprint)
  const votes = told.votes.map((vote) => ({ ...vote, message }))
  return { ...told, id, ...{ fingerprint, votes, intent: { createUserTagIntent: parameters } } }
}

/** The members of answers that get the text. */
const FILLED = new Set([
  ...['userName', 'username', 'userEmail', 'organizationName', 'tagName', 'policyName', 'effect', 'consensus'],
  ...['condition', 'name', 'value', 'url', 'summary', 'description', 'publicKey', 'tagId'],
])

const filled = (answer: unknown, text: string): unknown => {
  if (Array.isArray(answer)) return answer.map((one) => filled(one, text))
  if (typeof answer !== 'object' || answer === null) return answer
  const members = Object.entries(answer).map(([name, value]) => {
    const isFilled = FILLED.has(name) && typeof value === 'string'
    return [name, isFilled ? text : filled(value, text)] as const
  })
  return Object.fromEntries(members)
}

/** The server fills its answers with the text from now on, and refuses votes with it. */
export const filling = async (page: Page, text: string, waiting: Told): Promise<void> => {
  const createdAt = '2026-01-01T00:00:00.000Z'
  const failed = { ...waiting, ...{ status: text, type: `ACTIVITY_TYPE_${text}`, failure: { message: text } } }
  const outcome = { policyId: text, outcome: 'OUTCOME_REQUIRES_CONSENSUS' }
  const policy = { policyId: text, policyName: text, effect: text, consensus: text, condition: text }
  const delivery = { deliveryId: '1', eventId: text, activityId: text, eventType: text, status: text }
  const lies: Readonly<Record<string, object>> = {
    list_activities: { activities: [waiting, { ...failed, id: waiting.organizationId }] },
    get_policy_evaluations: { policyEvaluations: [{ createdAt, policyEvaluations: [outcome] }] },
    list_policies: { policies: [policy] },
    list_webhook_endpoints: { webhookEndpoints: [{ endpointId: 'x', url: text, name: text, isActive: true }] },
    list_webhook_deliveries: { webhookDeliveries: [{ ...delivery, attempts: [{ at: createdAt, outcome: text }] }] },
  }
  await page.route(/\/openapi\.json$|\/query\/\w+$/, async (route) => {
    const name = route.request().url().split('/').at(-1) ?? ''
    const lie = lies[name]
    if (lie !== undefined) return route.fulfill({ json: filled(lie, text) })
    if (name !== 'get_activity') {
      const response = await route.fetch()
      return route.fulfill({ response, json: filled(await response.json(), text) })
    }
    const { activityId } = route.request().postDataJSON() as { readonly activityId: string } // as the page asks
    const activity = activityId === waiting.id ? waiting : { ...failed, id: activityId }
    return route.fulfill({ json: { activity: filled(activity, text) } })
  })
  await page.route('**/submit/*', (route) =>
    route.fulfill({ status: 400, json: { code: 3, message: text, details: [] } }),
  )
}
