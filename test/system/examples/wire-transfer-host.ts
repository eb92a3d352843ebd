/** A host with the operation of the example: what the tests play with, and, as a program, what they kill. */
import { E } from 'countersign/fp'
import { publicApi, type ActivityView, type Failure, type Json } from 'countersign'
import { createEngine, type Engine } from 'countersign/fp'
import { signingKey, stampedRequest, type SigningKey } from 'countersign/signatures'
import { sqliteStore } from 'countersign/store-sqlite'
import { httpPayments, wireTransfers, type WireTransferOptions } from '../../../examples/wire-transfer/wire-transfer.ts'

export type HostOptions = WireTransferOptions & {
  readonly path: string
  /** Where the payment service listens. */
  readonly paymentsUrl: string
}

export const host = ({ path, paymentsUrl, ...options }: HostOptions): Promise<Engine> =>
  createEngine({
    store: sqliteStore({ path }),
    resources: [...publicApi, wireTransfers(options)],
    ports: { payments: httpPayments(paymentsUrl) },
    tuning: { waitForEffectsMs: 1_000 },
  })

export type Body = { readonly [member: string]: Json }

/** A transfer as its sender asks for it: the same text is the same transfer. */
export const transferOf = (organizationId: string, timestampMs: string): Body => ({
  type: 'ACTIVITY_TYPE_WIRE_TRANSFER',
  timestampMs,
  organizationId,
  parameters: { beneficiary: 'Ada', iban: 'DE02120300000000202051', amountCents: '250000' },
})

export const transfer = async (engine: Engine, key: SigningKey, body: Body): Promise<ActivityView> =>
  right(await engine.submit('wire_transfer', stampedRequest(key, body))())

export const right = <A>(outcome: E.Either<Failure, A>): A => {
  if (E.isRight(outcome)) return outcome.right
  throw new Error(`${outcome.left.code}: ${outcome.left.message}`)
}

if (process.argv[1] === import.meta.filename) {
  const [options = '', privateKey = '', body = ''] = process.argv.slice(2)
  const engine = await host(JSON.parse(options) as HostOptions) // from the tests
  await transfer(engine, right(signingKey('API_KEY_CURVE_P256', privateKey)), JSON.parse(body) as Body)
  setInterval(() => undefined, 1_000) // it ends by being killed
}
