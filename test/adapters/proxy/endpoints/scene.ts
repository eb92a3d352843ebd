import { createHash } from 'node:crypto'
import { toServer } from '../../../../adapters/client/http-transport.ts'
import { httpServer } from '../../../../adapters/http/index.ts'
import type { Call, Endpoint, ProxyConfig } from '../../../../adapters/proxy/endpoint.ts'
import { keyStamper } from '../../../../adapters/signatures/key-stamper.ts'
import { decode } from '../../../../core/codec/codec.ts'
import { failureOf } from '../../../../core/countersign-error.ts'
import { refusal, valueOf } from '../../../../core/definition/refuse.ts'
import { stamped, type Transport } from '../../../../core/door/transport.ts'
import type { Json } from '../../../../core/failure.ts'
import type { Mail } from '../../../../core/ports/mailer.ts'
import type { ShortMessage } from '../../../../core/ports/sms.ts'
import { endpoints } from '../../../../adapters/proxy/endpoints/endpoints.ts'
import { asProxy } from '../../../core/resources/auth-proxy/scene.ts'
import { clientKey, clientSignature, claimsOf, postOffice, type ClientKey } from '../../../core/resources/otp/scene.ts'
import { begin, world, type Place, type Signer, type World, type WorldOptions } from '../../../core/world/world.ts'
import { PATIENT } from '../../http/transport.ts'

/* Two tenants of one engine behind its server, and what a client of each gets from the endpoints of a proxy that both have let in. */

export type Answer = { readonly [member: string]: Json }

export type Tenant = Place & {
  /** What an endpoint answers, or `CODE: words` of a refusal. */
  readonly asked: (path: string, body: Json) => Promise<Answer | string>
  /** As `asked`; throws what was refused. */
  readonly got: (path: string, body: Json) => Promise<Answer>
  /** The same tenant with other settings, or for a caller from elsewhere. */
  readonly with: (settings: Partial<ProxyConfig>, address?: string | null) => Tenant
  /** What was asked of the API, each time. */
  readonly sent: readonly string[]
}

export type Scene = {
  readonly tenant: Tenant
  readonly other: Tenant
  readonly url: string
  readonly clock: World['clock']
  readonly mails: readonly Mail[]
  readonly messages: readonly ShortMessage[]
}

/** Codes of the office have six digits, and are good for a test. */
export const SETTINGS: Partial<ProxyConfig> = { otpLength: 6, otpAlphanumeric: false }

export const onScene = async (play: (scene: Scene) => Promise<void>, options: WorldOptions = {}): Promise<void> => {
  const { ports, mails, messages } = postOffice()
  const made = await world({ ...options, ports: { ...ports, sandboxContacts: false, ...options.ports } })
  const server = httpServer(made.engine, { ...PATIENT, drainTimeoutMs: 2_000 })
  const { url } = await server.listen()
  try {
    const transport = toServer({ url })
    const letIn = async (place: Place): Promise<Tenant> => {
      const { done, root } = place
      await done(root, 'set_organization_feature', { name: 'FEATURE_NAME_SMS_AUTH', value: '' })
      await done(root, 'enable_auth_proxy', {})
      return tenantOf(place, await asProxy(place), transport, made.clock)
    }
    const [tenant, other] = [await letIn(made), await letIn(await begin(made, { name: 'Default' }))]
    await play({ tenant, other, url, clock: made.clock, mails, messages })
  } finally {
    await server.close()
    await made.close()
  }
}

const tenantOf = (
  place: Place,
  proxy: Signer,
  transport: Transport,
  clock: World['clock'],
  settings = SETTINGS,
  address: string | null = '192.0.2.1',
): Tenant => {
  const { organizationId } = place
  const config: ProxyConfig = {
    configId: organizationId,
    organizationId,
    organizationName: 'Default',
    isEnabled: true,
    allowedOrigins: ['*'],
    ...settings,
  }
  const sent: string[] = []
  const stamper = keyStamper(proxy.key)
  let asks = 0
  const call: Call = {
    config,
    address,
    atMs: clock.now(),
    submit: async ({ type, path, organizationId: of, parameters, resultName }) => {
      sent.push(path)
      asks += 1
      const body = { type, timestampMs: String(clock.now() + asks), organizationId: of, parameters }
      const activity = valueOf(await transport.submit(path, await stamped(stamper, body)))
      if (activity.failure !== undefined) throw refusal(activity.failure)
      return activity.result[resultName] ?? null
    },
    query: async (path, body) => {
      sent.push(path)
      return valueOf(await transport.query(path, await stamped(stamper, body)))
    },
  }
  const answered = async (path: string, body: Json): Promise<Answer> => {
    const endpoint = endpoints.find((one) => one.path === `/v1/${path}`) as Endpoint<unknown> | undefined // it reads its request first
    if (endpoint === undefined) throw new Error(`no endpoint ${path}`)
    return (await endpoint.answer(valueOf(decode(endpoint.request, 'request body')(body)), call)) as Answer // all answers are objects
  }
  const asked: Tenant['asked'] = (path, body) =>
    answered(path, body).catch((error: unknown) => {
      const failure = failureOf(error)
      if (failure === undefined) throw error
      return `${failure.code}: ${failure.message}`
    })
  return {
    ...place,
    sent,
    asked,
    got: async (path, body) => {
      const answer = await asked(path, body)
      if (typeof answer === 'string') throw new Error(`${path}: ${answer}`)
      return answer
    },
    with: (more, from = address) => tenantOf(place, proxy, transport, clock, { ...settings, ...more }, from),
  }
}

/** The words of a refusal. */
export const refusalIn = (answer: Answer | string): string => {
  if (typeof answer !== 'string') throw new Error('expected a refusal')
  return answer
}

/** The last code that went out. */
export const lastCode = ({ mails, messages }: Pick<Scene, 'mails' | 'messages'>, isText = false): string =>
  (isText ? messages.at(-1)?.text.split(' ')[0] : mails.at(-1)?.secret) ?? ''

export const text = (answer: Answer, member: string): string => {
  const value = answer[member]
  if (typeof value !== 'string') throw new Error(`expected ${member}`)
  return value
}

export const ADA = 'Ada@Example.com'

/** A token for a contact whose code came in plain, for a key if there is one. */
export const proved = async (scene: Scene, tenant: Tenant, contact = ADA, key?: ClientKey): Promise<string> => {
  const isText = contact.startsWith('+')
  const otpId = text(
    await tenant.got('otp_init', { otpType: isText ? 'OTP_TYPE_SMS' : 'OTP_TYPE_EMAIL', contact }),
    'otpId',
  )
  const publicKey = key === undefined ? {} : { publicKey: key.publicKey }
  return text(
    await tenant.got('otp_verify', { otpId, otpCode: lastCode(scene, isText), ...publicKey }),
    'verificationToken',
  )
}

export const NOTHING = { apiKeys: [], authenticators: [], oauthProviders: [] }

/** Signs up by a contact that was verified; gives the token, too. */
export const signedUp = async (
  scene: Scene,
  tenant: Tenant,
  contact = ADA,
): Promise<{ readonly organizationId: string; readonly userId: string; readonly token: string }> => {
  const token = await proved(scene, tenant, contact)
  const user = contact.startsWith('+') ? { userPhoneNumber: contact } : { userEmail: contact }
  const made = await tenant.got('signup', { ...NOTHING, ...user, verificationToken: token })
  scene.clock.pass(NEXT_WINDOW_MS)
  return { organizationId: text(made, 'organizationId'), userId: text(made, 'userId'), token }
}

/** Then a contact gets codes again. */
const NEXT_WINDOW_MS = 180_000

/** What a session is for. */
export const sessionOf = (answer: Answer | string): { readonly [claim: string]: string } =>
  typeof answer === 'string' ? { refusal: answer } : claimsOf(text(answer, 'session'))

/** By what an identity token is bound to a key. */
export const nonceOf = (publicKey: string): string => createHash('sha256').update(publicKey).digest('hex')

/** The signature with which a key signs up an empty user. */
export const signUpBy = (key: ClientKey, token: string, email: string) =>
  clientSignature(key, {
    signupV2: { ...NOTHING, email },
    tokenId: claimsOf(token)['id'] ?? '',
    type: 'USAGE_TYPE_SIGNUP',
  })

export { clientKey }
