/**
 * The wire transfer as its people see it: one officer asks, another approves, and the payment service is down at first. The program starts
 * all that it needs, in memory: `npm run example:wire-transfer`.
 */
import { createEngine, generateKey, publicApi, type SigningKey } from 'countersign'
import * as api from 'countersign/api'
import { memoryStore } from 'countersign/store-memory'
import { paymentService, type PaymentService } from './payment-service.ts'
import { httpPayments, listWireTransfers, wireTransfer, wireTransfers } from './wire-transfer.ts'

const main = async (payments: PaymentService): Promise<void> => {
  const engine = await createEngine({
    store: memoryStore(),
    resources: [...publicApi, wireTransfers({ resumeAfterMs: 200 })],
    ports: { payments: httpPayments(payments.url) },
  })
  try {
    const key = generateKey()
    const { organizationId } = await engine.createOrganization({ name: 'Treasury', key })
    const root = engine.as({ organizationId, key })
    const keys = [generateKey(), generateKey()]
    await root.submit(api.createUsers, { users: keys.map(userParams) })
    const [ada = root, grace = root] = keys.map((one) => engine.as({ organizationId, key: one }))
    await root.submit(api.createPolicy, POLICY)
    say(1, 'Two officers, Ada and Grace, and a policy for transfers:', POLICY.condition, POLICY.consensus)

    const timestampMs = Date.now() // the same transfer, however often it is asked for
    const asked = await ada.submit(wireTransfer(), TRANSFER, { timestampMs })
    say(
      2,
      `Ada asks to send 2500.00 to Alan: ${asked.status}`,
      `requests to the payment service: ${payments.requests.size}`,
    )

    payments.failNext(2)
    const approved = await grace.approve(asked.activity)
    say(3, `Grace approves, while the payment service is down: ${approved.status}`)

    const paid = await ada.submitAndWait(wireTransfer(), TRANSFER, { timestampMs })
    const requests = payments.requests.get(paid.activity.id)
    say(
      4,
      `The engine has tried again, with the same key: ${paid.status}, with ${JSON.stringify(paid.result)}`,
      `requests to the payment service: ${requests}; payments: ${payments.payments.size}`,
    )

    const { wireTransfers: rows, sumCents } = await ada.query(listWireTransfers, {})
    say(5, `The read model knows ${rows.length} transfer: ${sumCents} cents.`)
  } finally {
    await engine.close()
  }
}

const TRANSFER = { beneficiary: 'Alan', iban: 'DE02120300000000202051', amountCents: '250000' }

const POLICY = {
  policyName: 'Two officers send money',
  effect: 'EFFECT_ALLOW' as const,
  condition: "activity.resource == 'WIRE_TRANSFER' && activity.params.country == 'DE'",
  consensus: 'approvers.count() >= 2',
  notes: '',
}

const userParams = ({ publicKey, curve }: SigningKey, index: number) => ({
  userName: `officer ${index + 1}`,
  apiKeys: [{ apiKeyName: 'key', publicKey, curveType: curve }],
  authenticators: [],
  oauthProviders: [],
  userTags: [],
})

const say = (step: number, title: string, ...lines: readonly string[]): void =>
  console.log([`${step}. ${title}`, ...lines.map((line) => `   ${line}`), ''].join('\n'))

const payments = await paymentService()
try {
  await main(payments)
} finally {
  await payments.close()
}
